import { preferredMediaType } from '@jig/http';
import { answerBeanAsJson, answerBeanAsXml, answerBeans, answerPost, redirectToBeanPage } from './beans/answers.ts';
import { assetAnswer } from './browser/assets.ts';
import { beanPageAnswer, instancesAnswer } from './browser/browser-answers.ts';
import { allAnswer } from './compare/all-instances.ts';
import { compareAnswer, keepAnswer, patchAnswer } from './compare/answers.ts';
import { dotAnswer, graphAnswer, mermaidAnswer } from './graph/graph-page.ts';
import { allInstances, withInstance, withoutOrigin } from './http/address.ts';
import { type Answer, type Awaitable, answerHeaders, problemAnswer, redirect } from './http/answer.ts';
import { type ParameterValues, parseQuery, queryOf } from './http/parameters.ts';
import { BeanProblem, isBeanProblem, noSuchBean, type ProblemForm } from './http/problem.ts';
import { type InspectionRequest, instanceHeader, readFields, wantsStream } from './http/request.ts';
import type { Instance } from './instances/instances.ts';
import { proxy } from './instances/proxy.ts';
import { mcpAnswer } from './mcp/endpoint.ts';
import type { Mount } from './mount.ts';
import { metricsAnswer } from './readings/prometheus.ts';
import { type Candidate, findRoutes, type RouteId, type RouteOf, type routes } from './routes.ts';
import { changeWatch, watchAnswer } from './watch/answers.ts';

/** The function that answers each route, given the call and the values of its parameters. */
type Handlers = {
  readonly [Id in RouteId]: (
    call: Call,
    query: ParameterValues<(typeof routes)[Id]['parameters']>,
  ) => Awaitable<Answer>;
};

const handlers: Handlers = {
  beans: answerBeans,
  beansAsJson: answerBeans,
  beansAsXml: answerBeans,
  beanAsJson: answerBeanAsJson,
  beanAsXml: answerBeanAsXml,
  beanPage: beanPageAnswer,
  beanWithoutExtension: redirectToBeanPage,
  createBean: answerPost,
  graph: graphAnswer,
  graphAsDot: dotAnswer,
  graphAsMermaid: mermaidAnswer,
  compareBeans: compareAnswer,
  compareBeansAsJson: compareAnswer,
  compareBeansAsPatch: patchAnswer,
  keepSnapshot: keepAnswer,
  keepSnapshotAsJson: keepAnswer,
  watch: watchAnswer,
  watchAsJson: watchAnswer,
  watchValue: changeWatch,
  endWatch: changeWatch,
  metrics: metricsAnswer,
  instances: instancesAnswer,
  instancesAsJson: instancesAnswer,
  mcp: mcpAnswer,
  asset: ({ request, name }) => assetAnswer(name, request.raw.headers['accept-encoding']?.toString()),
};

/** An authorized request for a route. */
export interface Call {
  readonly mount: Mount;
  readonly request: InspectionRequest;
  /** `{name}` of the path. */
  readonly name: string;
  /** From the extension of the path, otherwise from `Accept`. */
  readonly form: ProblemForm;
  /** The other instances; looked up only where the answer may have links or a tool needs them. */
  readonly others: readonly Instance[];
}

/** The route of a request, and the name in its path. */
interface Match extends RouteOf {
  readonly name: string;
}

/** Answers a request, independent of the framework: at once if nothing has to be awaited. Neither throws nor rejects. */
export function handle(mount: Mount, request: InspectionRequest): Awaitable<Answer> {
  const form = formOf(request);
  try {
    const answer = respond(mount, request, form);
    if (!(answer instanceof Promise)) return withHeaders(answer, mount, request);
    return answer.then(
      (awaited) => withHeaders(awaited, mount, request),
      (error: unknown) => answerError(error, mount, request, form),
    );
  } catch (error) {
    return answerError(error, mount, request, form);
  }
}

/** Adds the headers of all answers. Without object spread, which is slow in Node 20. */
function withHeaders(answer: Answer, mount: Mount, { path }: InspectionRequest, isAuthorized = true): Answer {
  const { status, reason, headers, body, isDocument, isTruncated } = answer;
  const all: Record<string, string> = Object.assign({}, answerHeaders);
  if (!/\.\w+$/.test(path)) all.vary = 'Accept';
  // The id has the name of the machine, which only authorized clients may see.
  if (isAuthorized) all[instanceHeader] = mount.instances.here.id;
  return { status, reason, headers: Object.assign(all, headers), body, isDocument, isTruncated };
}

function answerError(error: unknown, mount: Mount, request: InspectionRequest, form: ProblemForm = 'json'): Answer {
  const problem = isBeanProblem(error) ? error : unexpected(error);
  // Nothing to report if the client has disconnected.
  if (problem.status >= 500 && !request.raw.signal.aborted) mount.options.onError(problem.cause, problem.message);
  const isAuthorized = problem.status !== 401 && problem.status !== 403;
  return withHeaders(problemAnswer(problem, form), mount, request, isAuthorized);
}

const unexpected = (cause: unknown) =>
  new BeanProblem(500, 'Something went wrong on our side; it has been logged.', { cause });

/** @param accepted undefined if the client accepts neither JSON nor XML nor HTML */
function respond(mount: Mount, request: InspectionRequest, accepted: ProblemForm | undefined): Awaitable<Answer> {
  // Comes first: no spelling of a path bypasses it, and no body of an unauthorized client is read.
  mount.access.check(request);
  mount.start();
  const found = match(mount, request);
  const { id, route, name } = found;
  const isNegotiated = route.types.length > 1 && !route.path.includes('.');
  if (isNegotiated && accepted === undefined && !wantsStream(request.raw))
    throw new BeanProblem(406, `This comes as ${route.types.join(', ')}.`);
  const call: Call = { mount, request, name, form: accepted ?? 'json', others: [] };
  const query = queryOf(request.url);
  const { here } = mount.instances;
  const named = query.get('instance') || undefined;
  if (named !== undefined && named !== allInstances) return redirect(urlOfInstance(request, named), 307);
  const instance = named ?? request.instance ?? here.id;
  if (instance === allInstances) return withOthers(call).then((linked) => allAnswer(linked, id));
  if (instance !== here.id) return mount.instances.find(instance).then((other) => proxy(mount, request, other));
  const hasLinks = call.form === 'html' || !request.path.includes('/');
  if (hasLinks || route.body === 'fields') return answerAsync(call, found, query, hasLinks);
  return answer(call, found, query);
}

/** Reads the fields of the body and looks up the other instances, as far as the answer needs them. */
async function answerAsync(call: Call, found: RouteOf, query: URLSearchParams, hasLinks: boolean): Promise<Answer> {
  const { request, form } = call;
  if (found.route.body === 'fields') for (const [key, value] of await readFields(request)) query.append(key, value);
  const linked = hasLinks ? await withOthers(call) : call;
  const { prefix } = linked.request;
  // The address of a page names the instance, so that its script and a reload reach the same one.
  if (form === 'html' && found.route.method === 'GET' && prefix !== request.prefix)
    return redirect(prefix + withoutOrigin(request.url).slice(request.prefix.length));
  return answer(linked, found, query);
}

function answer(call: Call, { id, route }: RouteOf, query: URLSearchParams): Awaitable<Answer> {
  const { mount, request, name } = call;
  // Unknown beans return 404 regardless of the query.
  if (route.path.startsWith('bean/')) mount.beans.check(name, request);
  const values = parseQuery(query, route.parameters, mount.look.limits);
  const handler = handlers[id] as (call: Call, query: object) => Awaitable<Answer>;
  return handler(call, values);
}

/** The URL with the instance in its path instead of its query. */
function urlOfInstance({ prefix, path, url }: InspectionRequest, instance: string): string {
  const query = queryOf(url);
  query.delete('instance');
  return `${withInstance(prefix, encodeURIComponent(instance))}/${path}${query.size === 0 ? '' : `?${query}`}`;
}

/** Throws 404 if no route has this path, and 405 if none of them has this method. */
function match(mount: Mount, request: InspectionRequest): Match {
  const method = request.raw.method === 'HEAD' ? 'GET' : (request.raw.method ?? '');
  const candidates = candidatesOf(request);
  // `bean/a.json` is the document of `a`; the bean `a.json` only if there is one.
  const isMeant = ({ name, isFallback }: Candidate) => !isFallback || mount.beans.has(name);
  for (const candidate of candidates) {
    const found = candidate.routes.get(method);
    if (found !== undefined && isMeant(candidate)) return Object.assign({ name: candidate.name }, found);
  }
  const allowed = new Set(candidates.filter(isMeant).flatMap(({ routes }) => [...routes.keys()]));
  if (allowed.size === 0) throw noSuchBean(request);
  if (allowed.has('GET')) allowed.add('HEAD');
  const allow = [...allowed].sort().join(', ');
  throw new BeanProblem(405, `This address takes only ${allow}.`, { headers: { allow } });
}

function candidatesOf({ path }: InspectionRequest): readonly Candidate[] {
  try {
    return findRoutes(path);
  } catch {
    throw new BeanProblem(400, 'The address is malformed.');
  }
}

/** Looks up the other instances. If there are any, links name this one, since all may share a port. */
async function withOthers(call: Call): Promise<Call> {
  const { mount, request } = call;
  const others = await mount.instances.others();
  if (others.length === 0 || request.isOverSocket === true) return { ...call, others };
  const prefix = withInstance(request.prefix, mount.instances.here.id);
  return { ...call, others, request: { ...request, prefix } };
}

const forms = { 'application/json': 'json', 'application/xml': 'xml', 'text/html': 'html', 'text/xml': 'xml' } as const;
const mediaTypes = Object.keys(forms) as (keyof typeof forms)[];

/** From the extension of the path, otherwise from `Accept`. Undefined if the client accepts none of our types. */
function formOf({ path, raw }: InspectionRequest): ProblemForm | undefined {
  const [, extension] = /\.(json|xml|html)$/.exec(path) ?? [];
  if (extension !== undefined) return extension as ProblemForm;
  const type = preferredMediaType(raw.headers.accept, mediaTypes);
  return type && forms[type];
}
