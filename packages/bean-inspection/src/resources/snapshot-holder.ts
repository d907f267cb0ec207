import type { Answer, ResourceCall } from '../beans/resource.ts';
import { passedHeader } from '../http/instance-headers.ts';
import { BeanProblem } from '../http/problem.ts';
import { queryOf } from '../http/query-parameters.ts';
import type { Instance } from '../instances/instance.ts';
import { askWithin } from '../instances/pass-on.ts';
import { isPassed } from './find-instance.ts';
import { passedAnswer } from './passed-answer.ts';

/** An answer about a snapshot that was kept by its name, by whichever instance has it. */
export async function answerBySnapshot<Context>(
  call: ResourceCall<Context>,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    const holder = error instanceof BeanProblem && error.status === 404 ? await holderOf(call) : undefined;
    if (holder === undefined) throw error;
    return passedAnswer(call, holder);
  }
}

interface Kept {
  readonly instance: Instance;
  readonly name?: unknown;
  readonly time?: unknown;
}

/** The one with the newest snapshot of the name that a request asks for; the request is for nobody else. */
async function holderOf<Context>({ request, others }: ResourceCall<Context>): Promise<Instance | undefined> {
  const query = queryOf(request.url);
  const name = query.get('from');
  if (name === null || query.has('instance') || isPassed(request)) return undefined;
  const kept = (await Promise.all(others.map(keptBy))).flat().filter((each) => each.name === name);
  return kept.sort((a, b) => (String(a.time) < String(b.time) ? 1 : -1))[0]?.instance;
}

async function keptBy(instance: Instance): Promise<readonly Kept[]> {
  const headers = { ...instance.headers, [passedHeader]: '1' };
  const query = `?instance=${encodeURIComponent(instance.id)}`;
  const told = await askWithin({ ...instance, headers }, { path: `/compare.json${query}`, ms: 1000, bytes: 2 ** 20 });
  try {
    const { snapshots } = JSON.parse('fault' in told ? '' : told.text) as { readonly snapshots: readonly object[] };
    return snapshots.map((each) => ({ ...each, instance }));
  } catch {
    return [];
  }
}
