import { preferredMediaType } from '@jig/http';
import { allAnswer } from './compare/all-instances.ts';
import { handlers } from './handlers.ts';
import { allInstances, withInstance, withoutOrigin } from './http/address.ts';
import { type Answer, answerHeaders, problemAnswer, redirect } from './http/answer.ts';
import { parseQuery, queryOf } from './http/parameters.ts';
import { BeanProblem, isBeanProblem, noSuchBean, type ProblemForm } from './http/problem.ts';
import { type InspectionRequest, instanceHeader, wantsStream } from './http/request.ts';
import { readFields } from './http/request-body.ts';
import type { Instance } from './instances/instances.ts';
import { proxy } from './instances/proxy.ts';
import type { Mount } from './mount.ts';
import { findPlaces, type Place, type RouteOf } from './routes.ts';

/** A request for a route, whose sender may look at beans. */
export interface Call {
  readonly mount: Mount;
  readonly request: InspectionRequest;
  /** What the path has for `{name}`. */
  readonly name: string;
  /** How the client wants its answer: by the extension of the path, or by `Accept`. */
  readonly form: ProblemForm;
  /** The other instances, where the answer has links: those are to stay with this one then. */
  readonly others: readonly Instance[];
}

/** A route that a path leads to, and the name in the path. */
interface Match extends RouteOf {
  readonly name: string;
}

/** The answer to a request, whatever it is mounted in. Never rejects. */
export async function handle(mount: Mount, request: InspectionRequest): Promise<Answer> {
  const form = formOf(request);
  const here = { [instanceHeader]: mount.instances.here.id };
  try {
    return withHeaders(await respond(mount, request, form), request, here);
  } catch (error) {
    const problem = isBeanProblem(error) ? error : unexpected(error);
    // A client that has left is not worth a word.
    if (problem.status >= 500 && !request.raw.signal.aborted) mount.options.onError(problem.cause, problem.message);
    const answer = problemAnswer(problem, form ?? 'json');
    // Who may not look is not told the name of the machine.
    const isStranger = problem.status === 401 || problem.status === 403;
    return withHeaders(answer, request, isStranger ? undefined : here);
  }
}

/** The answer with the headers that all have. Without spreads, which Node 20 is slow at. */
function withHeaders(answer: Answer, { path }: InspectionRequest, here: object | undefined): Answer {
  const { status, reason, headers, body, isDocument, isTruncated } = answer;
  const vary = /\.\w+$/.test(path) ? undefined : { vary: 'Accept' };
  const all = Object.assign({}, answerHeaders, vary, here, headers);
  return { status, reason, headers: all, body, isDocument, isTruncated };
}

const unexpected = (cause: unknown) =>
  new BeanProblem(500, 'Something went wrong on our side; it has been logged.', { cause });

async function respond(mount: Mount, request: InspectionRequest, form: ProblemForm | undefined): Promise<Answer> {
  // Before anything else, so that no spelling of an address goes past it, and no body is read for strangers.
  mount.access.check(request);
  mount.start();
  const { id, route, name } = match(mount, request);
  const call = { mount, request, name, form: form ?? 'json', others: [] };
  const query = queryOf(request.url);
  const { here } = mount.instances;
  const named = query.getAll('instance').find((each) => each !== '');
  const instance = named === allInstances ? named : (request.instance ?? here.id);
  if (named !== undefined && named !== allInstances) return redirect(pathWith(request, named), 307);
  if (instance === allInstances) return allAnswer(await withOthers(call), id);
  if (instance !== here.id) return proxy(mount, request, await mount.instances.find(instance));
  if (route.body === 'fields') for (const [key, value] of await readFields(request)) query.append(key, value);
  // Unknown beans are 404 whatever the query is.
  if (route.path.startsWith('bean/')) mount.beans.check(name, request);
  const isNegotiated = route.types.length > 1 && !route.path.includes('.');
  if (isNegotiated && form === undefined && !wantsStream(request.raw))
    throw new BeanProblem(406, `This comes as ${route.types.join(', ')}.`);
  const values = parseQuery(query, route.parameters, mount.look.limits);
  const hasLinks = call.form === 'html' || !request.path.includes('/');
  const withLinks = hasLinks ? await withOthers(call) : call;
  const isStaying = withLinks.request.prefix === request.prefix;
  // So that a page, its script and a reload all come from one instance, its address names that.
  if (call.form === 'html' && route.method === 'GET' && !isStaying)
    return redirect(withLinks.request.prefix + withoutOrigin(request.url).slice(request.prefix.length));
  const answer = handlers[id] as (call: Call, query: object) => Answer | Promise<Answer>;
  return answer(withLinks, values);
}

/** The same address with the instance in its path, for one that names it in the query. */
function pathWith({ prefix, path, url }: InspectionRequest, instance: string): string {
  const query = queryOf(url);
  query.delete('instance');
  return `${withInstance(prefix, encodeURIComponent(instance))}/${path}${query.size === 0 ? '' : `?${query}`}`;
}

/** The route of a request; throws a problem when there is none, or none of its method. */
function match(mount: Mount, request: InspectionRequest): Match {
  const method = request.raw.method === 'HEAD' ? 'GET' : (request.raw.method ?? '');
  const allowed = new Set<string>();
  for (const { routes, name, isSecond } of placesOf(request)) {
    // `bean/a.json` is the document of `a`; it is the bean `a.json` only where there is one.
    if (isSecond && !mount.beans.has(name)) continue;
    const found = routes.get(method);
    if (found !== undefined) return { id: found.id, route: found.route, name };
    for (const each of routes.keys()) allowed.add(each);
  }
  if (allowed.size === 0) throw noSuchBean(request);
  if (allowed.has('GET')) allowed.add('HEAD');
  const allow = [...allowed].sort().join(', ');
  throw new BeanProblem(405, `This address takes only ${allow}.`, { headers: { allow } });
}

function placesOf({ path }: InspectionRequest): readonly Place[] {
  try {
    return findPlaces(path);
  } catch {
    throw new BeanProblem(400, 'The address is malformed.');
  }
}

/** Behind a port that several processes share, links lead back to the one that made them. A socket is that of one. */
async function withOthers(call: Call): Promise<Call> {
  const { mount, request } = call;
  const others = await mount.instances.others();
  if (others.length === 0 || request.isFromUser === true) return { ...call, others };
  const prefix = withInstance(request.prefix, mount.instances.here.id);
  return { ...call, others, request: { ...request, prefix } };
}

const forms = { 'application/json': 'json', 'application/xml': 'xml', 'text/html': 'html', 'text/xml': 'xml' } as const;
const mediaTypes = Object.keys(forms) as (keyof typeof forms)[];

/** By the extension; without one browsers get a page, since they prefer pages to everything else. Undefined for a client that accepts nothing of ours. */
function formOf({ path, raw }: InspectionRequest): ProblemForm | undefined {
  const [, extension] = /\.(json|xml|html)$/.exec(path) ?? [];
  if (extension !== undefined) return extension as ProblemForm;
  const type = preferredMediaType(raw.headers.accept, mediaTypes);
  return type && forms[type];
}
