import { encodeName } from '../beans/bean-index.ts';
import { findBeans } from '../beans/bean-search.ts';
import type { Answer, Resource, ResourceCall } from '../beans/resource.ts';
import { beanOutline } from '../browser/bean-outline.ts';
import { fileOf } from '../http/address.ts';
import { wantsStream } from '../http/event-stream.ts';
import type { InspectionRequest } from '../http/inspection-request.ts';
import { BeanProblem } from '../http/problem.ts';
import {
  askParameters,
  beanDocumentParameters,
  listParameters,
  outlineParameters,
  parseQuery,
  queryOf,
} from '../http/query-parameters.ts';
import { readBody } from '../http/request-body.ts';
import { documentStream } from '../live/document-stream.ts';
import { pages } from './load-pages.ts';

/** `/bean`, the list and the search in all beans; `/bean/{name}.json`, a bean; and `/bean/{name}`, where POST creates it or asks it. */
export const beanResource: Resource = {
  methods: ['GET', 'POST'],
  methodsAt(address, controller) {
    if (address.kind !== 'entry') return ['GET'];
    if (!isShownForm(address.extension)) return ['POST'];
    return controller.has(fileOf(address)) ? ['GET', 'POST'] : ['GET'];
  },
  isNegotiated: true,
  answer(call) {
    if (call.request.raw.method === 'POST') return post(call);
    return call.address.kind === 'entry' ? bean(call) : list(call);
  },
};

function list<Context>(call: ResourceCall<Context>): Answer | Promise<Answer> {
  const { controller, request, address } = call;
  const form = isDocumentForm(address.extension) ? address.extension : controller.preferredForm(request);
  // Bad parameters are refused here as elsewhere, though pages use few of them.
  const { find: text, ...options } = parseQuery(listQuery(request.url), listParameters, controller.limits, form);
  if (form === 'html') return listPage(call, text);
  const show = (value: object) => controller.document(value, form, request, options);
  if (text !== undefined) return findBeans(controller, request, text).then(show);
  return controller.list(request).then((found) => show(found.toDocument()));
}

/** The list's own field is called q, and its button says that it is to be searched for inside of beans. */
function listQuery(url: string): URLSearchParams {
  const query = queryOf(url);
  if (!query.has('inside')) return query;
  query.delete('find');
  for (const text of query.getAll('q')) if (text !== '') query.append('find', text);
  return query;
}

async function listPage<Context>(call: ResourceCall<Context>, text: string | undefined): Promise<Answer> {
  const { listAnswer, searchAnswer } = await pages();
  return text === undefined ? listAnswer(call) : searchAnswer(call, text);
}

function bean<Context>(call: ResourceCall<Context>): Answer | Promise<Answer> {
  const { controller, request, address } = call;
  if (address.extension === 'html') return beanPage(call);
  if (!isDocumentForm(address.extension)) return withoutForm(call);
  if (address.extension === 'json' && wantsStream(request.raw))
    return documentStream(controller, address.entry, request).then((stream) => ({ stream }));
  return controller.bean(address.entry, address.extension, request);
}

/** Somebody has typed only the name: a browser is led to the page. */
function withoutForm<Context>({ controller, request, address, form }: ResourceCall<Context>): Answer {
  const name = fileOf(address);
  if (!controller.has(name)) throw controller.notFound(request, form);
  if (form === 'html') return { redirect: `${request.prefix}/bean/${encodeName(controller.shownName(name))}.html` };
  throw controller.notFound(request, form, 'add .json, .xml or .html to the name');
}

async function beanPage<Context>(call: ResourceCall<Context>): Promise<Answer> {
  const { beanAnswer, beanStream, neighboursPicture } = await pages();
  return wantsStream(call.request.raw) ? beanStream(call) : beanAnswer(call, neighboursPicture);
}

/** POST asks for a reading of a bean that lives elsewhere, or creates the bean. */
async function post<Context>(call: ResourceCall<Context>): Promise<Answer> {
  const { controller, request, address } = call;
  const form = controller.preferredForm(request);
  const query = queryOf(request.url);
  if (hasForm(request)) {
    const asked = new URLSearchParams(await readBody(request, form)).getAll('ask');
    for (const each of asked) query.append('ask', each);
  }
  const { ask } = parseQuery(query, { ...beanDocumentParameters, ...askParameters }, controller.limits, form);
  if (ask === undefined) return create(call);
  const name = fileOf(address);
  const answer = await controller.ask(name, ask, form, request);
  // The page tells the fault too.
  if (form === 'html')
    return { redirect: `${request.prefix}/bean/${encodeName(controller.shownName(name))}.html#glance` };
  if (answer.fault === undefined) return controller.document(answer, form, request);
  const detail = `This could not be read: ${answer.fault}.`;
  throw new BeanProblem(503, detail, { form, cause: new Error(detail), title: 'Not read' });
}

/** Whether a form with fields was sent; one without is for creating. */
const hasForm = ({ raw: { headers } }: InspectionRequest) =>
  headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/** POST to the name itself, which may have a dot: the bean is created if it does not exist, and shown. */
async function create<Context>(call: ResourceCall<Context>): Promise<Answer> {
  const { controller, request, address } = call;
  const name = fileOf(address);
  const form = controller.preferredForm(request);
  if (form !== 'html') return controller.createdBean(name, form, request);
  const { createdAnswer, neighboursPicture } = await pages();
  return createdAnswer({ ...call, form }, name, neighboursPicture);
}

const isShownForm = (extension: string | undefined) => isDocumentForm(extension) || extension === 'html';

const isDocumentForm = (extension: string | undefined) => extension === 'json' || extension === 'xml';

/** `/outline/{name}.json`: a part of a bean as typed rows. */
export const outlineResource: Resource = {
  methods: ['GET'],
  answer: (call) => (call.address.kind === 'entry' ? outline(call) : missing(call)),
};

function missing<Context>({ controller, request, form }: ResourceCall<Context>): never {
  throw controller.notFound(request, form);
}

async function outline<Context>({ controller, request, address, form }: ResourceCall<Context>): Promise<Answer> {
  if (address.extension !== 'json') throw controller.notFound(request, form);
  const options = parseQuery(request.url, outlineParameters, controller.limits, form);
  const found = await beanOutline(controller, address.entry, request, options, form);
  return { bytes: JSON.stringify(found), mediaType: 'application/json' };
}
