import { preferredMediaType } from '@jig/http';
import type { BeanController } from '../beans/bean-controller.ts';
import type { Answer, Method, Resource, ResourceCall } from '../beans/resource.ts';
import { type Address, fileOf } from '../http/address.ts';
import type { InspectionRequest } from '../http/inspection-request.ts';
import { BeanProblem, type ProblemForm } from '../http/problem.ts';
import { allInstances, instanceParameters, parseQuery, queryOf } from '../http/query-parameters.ts';
import { resourceNames } from '../http/resource-names.ts';
import { snapshotOwner } from '../instances/identity.ts';
import type { Instance } from '../instances/instance.ts';
import type { Instances } from '../instances/instances.ts';
import { findInstance, isPassed } from './find-instance.ts';
import { pages } from './load-pages.ts';
import { resources } from './resources.ts';

const resourcesByName: ReadonlyMap<string, Resource> = new Map(
  Object.entries(resourceNames).map(([key, { name }]) => [name, resources[key as keyof typeof resources]]),
);

/** The answer to a request, whatever it is mounted in; throws a problem in place of it. A promise only where something must be awaited. */
export function answer<Context>(
  controller: BeanController<Context>,
  address: Address,
  request: InspectionRequest<Context>,
  instances: Instances,
): Answer | Promise<Answer> {
  const form = problemForm(address, request);
  // Before anything else, so that no spelling of an address goes past it, and no body is read for strangers.
  controller.check(request, form);
  const call = { controller, request, address, form, instances, others: [] };
  const wanted = wantedInstance(call);
  if (wanted !== undefined && wanted !== instances.here.id) return answerElsewhere(call, wanted);
  if (!namesInstances(call)) return answerHere(call);
  // Who asks for the list itself wants to know who is there now.
  const others = instances.others({ hasPeers: !isPassed(request), isFresh: address.name === 'instances' });
  if (!(others instanceof Promise) && others.length === 0 && wanted === undefined) return answerHere(call);
  return answerAmong(call, others, wanted !== undefined);
}

/** The instance that a request is for; of snapshots, the one that has them. */
function wantedInstance<Context>({ request: { url }, address, controller, form }: ResourceCall<Context>) {
  if (!url.includes('instance') && !url.includes('from=')) return undefined;
  const { instance } = parseQuery(url, instanceParameters, controller.limits, form);
  if (instance !== undefined || !address.name.startsWith('compare')) return instance;
  return snapshotOwner(queryOf(url).get('from') ?? '');
}

/** Whether the answer may lead to addresses that another instance would answer in another way. */
const namesInstances = <Context>({ address: { name, extension }, request: { raw } }: ResourceCall<Context>) =>
  extension === undefined || extension === 'html' || raw.method === 'POST' || !['bean', 'outline'].includes(name);

/** With links that stay with this instance, where there are others. */
async function answerAmong<Context>(
  call: ResourceCall<Context>,
  coming: readonly Instance[] | Promise<readonly Instance[]>,
  isNamed: boolean,
): Promise<Answer> {
  const others = await coming;
  const given = await answerHere({ ...call, others });
  if (others.length === 0 && !isNamed) return given;
  return (await pages()).pinned(given, pinOf(call));
}

const pinOf = <Context>({ request, instances }: ResourceCall<Context>) => ({
  prefix: request.prefix,
  instance: instances.here.id,
});

async function answerElsewhere<Context>(call: ResourceCall<Context>, wanted: string): Promise<Answer> {
  const { controller, request, address, form } = call;
  if (address.kind === 'entry' && address.name !== 'browser')
    controller.checkOpen(request.raw.method === 'POST' ? fileOf(address) : address.entry, form);
  if (wanted === allInstances) {
    const others = await call.instances.others({ isFresh: true, hasPeers: !isPassed(request) });
    const { allAnswer, pinned } = await pages();
    return pinned(await allAnswer({ ...call, others }), pinOf(call));
  }
  const found = await findInstance(call, wanted);
  if (typeof found === 'string') throw controller.notFound(request, form, found);
  return (await pages()).passedAnswer(call, found);
}

function answerHere<Context>(call: ResourceCall<Context>): Answer | Promise<Answer> {
  const { controller, request, address, form } = call;
  const resource = resourcesByName.get(address.name);
  if (resource === undefined) throw controller.notFound(request, form);
  const { method = '' } = request.raw;
  const isGet = method === 'GET' || method === 'HEAD';
  // What GET does not find is missing, whatever else an address takes: to know that may take a look at the names of all beans.
  if (!isGet || !resource.methods.includes('GET')) {
    const methods = resource.methodsAt?.(address, controller) ?? resource.methods;
    if (isGet || !methods.some((each) => each === method)) throw notAllowed(methods, form);
  }
  if (address.kind === 'unknown') throw controller.notFound(request, form);
  if (address.kind === 'malformed') throw new BeanProblem(400, 'The address is malformed.', { form });
  return resource.answer(call);
}

function notAllowed(methods: readonly Method[], form: ProblemForm): BeanProblem {
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const detail = `This address takes only ${allowed.join(allowed.length > 2 ? ', ' : ' and ')}.`;
  return new BeanProblem(405, detail, { form, headers: { allow: allowed.join(', ') } });
}

/** Whether the answer depends on what the client accepts. */
export const isNegotiated = ({ kind, name, extension }: Address) =>
  kind === 'whole' && extension === undefined && resourcesByName.get(name)?.isNegotiated === true;

const problemTypes = {
  'application/json': 'json',
  'application/xml': 'xml',
  'text/html': 'html',
  'text/xml': 'xml',
} as const;
const problemTypeNames = Object.keys(problemTypes) as (keyof typeof problemTypes)[];

/** The form of a problem: by the extension; without one browsers get a page, since they prefer pages to everything else. */
export function problemForm({ extension }: Address, { raw: { headers } }: InspectionRequest): ProblemForm {
  if (extension === 'json' || extension === 'xml' || extension === 'html') return extension;
  const type = preferredMediaType(headers.accept, problemTypeNames);
  return type === undefined ? 'json' : problemTypes[type];
}
