import { preferredMediaType } from '@jig/http';
import type { BeanController } from '../beans/bean-controller.ts';
import type { Answer, Method, Resource } from '../beans/resource.ts';
import type { Address } from '../http/address.ts';
import type { InspectionRequest } from '../http/inspection-request.ts';
import { BeanProblem, type ProblemForm } from '../http/problem.ts';
import { resources } from './resources.ts';

const resourcesByName: ReadonlyMap<string, Resource> = new Map(resources.map((resource) => [resource.name, resource]));

/** The answer to a request, whatever it is mounted in; throws a problem in place of it. A promise only where something must be awaited. */
export function answer<Context>(
  controller: BeanController<Context>,
  address: Address,
  request: InspectionRequest<Context>,
): Answer | Promise<Answer> {
  const form = problemForm(address, request);
  // Before anything else, so that no spelling of an address goes past it, and no body is read for strangers.
  controller.check(request, form);
  const resource = resourcesByName.get(address.name);
  if (resource === undefined) throw controller.notFound(request, form);
  const call = { controller, request, address, form };
  const { method = '' } = request.raw;
  const methods = resource.methodsAt?.(address, controller) ?? resource.methods;
  // What GET does not find is missing, whatever else an address takes.
  const isAllowed =
    method === 'GET' || method === 'HEAD' ? resource.methods.includes('GET') : methods.some((each) => each === method);
  if (!isAllowed) throw notAllowed(methods, form);
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
