import type { Answer, ResourceCall } from '../beans/resource.ts';
import { BeanProblem } from '../http/problem.ts';
import { readBody } from '../http/request-body.ts';
import { findInstance } from './find-instance.ts';
import { pages } from './load-pages.ts';

/** The beans for coding agents, by the Model Context Protocol. */
export async function mcpAnswer<Context>(call: ResourceCall<Context>): Promise<Answer> {
  const { controller, request, form } = call;
  const { here } = call.instances;
  const { agents } = controller;
  if (!agents.mcp) throw controller.notFound(request, form, `${controller.optionName('mcp')} is false`);
  // A page of another site can send other types without asking first (CORS, "simple requests").
  if (!/^application\/json[\t ]*(?:;|$)/i.test(request.raw.headers['content-type'] ?? ''))
    throw new BeanProblem(415, 'A message comes as application/json.', { form });
  const body = await readBody(request, form);
  const { answerForBeans, passedAnswer, wantedInstance } = await pages();
  const { signal, headers: given } = request.raw;
  const wanted = wantedInstance(body, given);
  const other = wanted === undefined || wanted.id === here.id ? undefined : await findInstance(call, wanted.id);
  if (typeof other === 'object') return passedAnswer(call, other, body);
  // A session goes on with whoever is there.
  const refusal = wanted?.isArgument && other !== undefined ? `This cannot be asked: ${other}.` : undefined;
  const { status, body: message, headers, cause } = await answerForBeans(call, body, { signal, refusal });
  if (cause !== undefined) agents.onError(cause, 'a tool for coding agents failed');
  const bytes = message === undefined ? '' : JSON.stringify(message);
  return { bytes, mediaType: 'application/json', status, ...(headers && { headers }) };
}
