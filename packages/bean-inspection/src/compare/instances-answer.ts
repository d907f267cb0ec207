import { escapeHtml } from '@jig/http';
import { joinUpTo } from '@jig/inspect/internal';
import { encodeName } from '../beans/bean-index.ts';
import type { Answer, ResourceCall } from '../beans/resource.ts';
import { siteOf } from '../browser/browser-answers.ts';
import { pagePolicy } from '../browser/page.ts';
import { instanceHeader, passedHeader } from '../http/instance-headers.ts';
import { BeanProblem, isBeanProblem } from '../http/problem.ts';
import { queryOf } from '../http/query-parameters.ts';
import { type Instance, sorted } from '../instances/instance.ts';
import { type Answered, askWithin } from '../instances/pass-on.ts';
import { labelledMetrics } from '../readings/labelled-metrics.ts';
import { metricsAnswer } from '../readings/prometheus.ts';
import { type Told, valuesByPath } from './instance-values.ts';
import { instancesPage } from './instances-page.ts';
import { inSlices } from './json-text.ts';

/** How long each instance has, and how much of it is read. */
const answerMs = 1000;
const largestDocument = 4 * 2 ** 20;

const missing = 'does not have it';

/** One bean in all instances: those that give no document are said to, and the rest is shown. */
export async function allAnswer<Context>(call: ResourceCall<Context>): Promise<Answer> {
  const { controller, request, address, form } = call;
  const { extension = '' } = address;
  const isRead = request.raw.method === 'GET' || request.raw.method === 'HEAD';
  if (address.name === 'metrics' && isRead) return allMetrics(call);
  if (address.kind !== 'entry' || address.name !== 'bean' || !isRead || !['json', 'xml', 'html'].includes(extension))
    throw new BeanProblem(
      400,
      `instance=all is for GET of a bean, such as ${request.prefix}/bean/{name}.json, and of ${request.prefix}/metrics.`,
      { form },
    );
  // A wrong query is refused before anybody is asked.
  controller.beanOptions(request.url, extension === 'xml' ? 'xml' : 'json');
  const start = performance.now();
  const told = await askAll(call, beanQuestion(call, extension === 'xml' ? 'xml' : 'json'));
  if (told.every(({ fault }) => fault === missing)) throw controller.notFound(request, form);
  if (extension === 'html') return pageOf(call, told, performance.now() - start);
  const isPretty = controller.beanOptions(request.url, 'json').pretty;
  const bytes = extension === 'xml' ? toXml(told, isPretty) : toJson(told, isPretty);
  const isTruncated = told.some((each) => each.isTruncated === true || each.fault !== undefined);
  const headers = isTruncated ? { headers: { 'jig-truncated': 'true' } } : {};
  return { bytes, mediaType: `application/${extension}`, ...headers };
}

/** A page compares whole documents; what it shows of them is its own. */
function queryFor(extension: string, url: string): URLSearchParams {
  const query = queryOf(url);
  if (extension !== 'html') return query;
  const at = query.get('at');
  return new URLSearchParams(at === null ? {} : { at });
}

/** What all instances are asked. */
interface Question {
  /** Below the prefix. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly accept?: string | undefined;
  /** What this instance says. */
  readonly own: () => Promise<Partial<Told>>;
  /** Whether an answer is none. */
  readonly isGarbage: (text: string) => boolean;
}

function beanQuestion<Context>(call: ResourceCall<Context>, form: 'json' | 'xml'): Question {
  const { address, request } = call;
  const query = queryFor(address.extension ?? '', request.url);
  return {
    path: `/bean/${encodeName(address.entry)}.${form}`,
    query,
    own: () => ownDocument(call, form, query),
    isGarbage: (text) => form === 'json' && !isJson(text),
  };
}

/** The metrics of each instance, labelled with its id: those of one that gave none are missing. */
async function allMetrics<Context>(call: ResourceCall<Context>): Promise<Answer> {
  const { bytes, mediaType } = metricsAnswer(call);
  const told = await askAll(call, {
    path: '/metrics',
    query: new URLSearchParams(),
    accept: call.request.raw.headers.accept,
    own: async () => ({ text: bytes.toString() }),
    isGarbage: (text) => !text.startsWith('# '),
  });
  const texts = told.flatMap(({ instance: { id }, text }) => (text === undefined ? [] : [{ id, text }]));
  const headers = texts.length < told.length ? { headers: { 'jig-truncated': 'true' } } : {};
  return { bytes: labelledMetrics(texts), mediaType, ...headers };
}

async function askAll<Context>({ instances, others }: ResourceCall<Context>, question: Question) {
  const { query, accept } = question;
  const ask = async (instance: Instance): Promise<Told> => {
    if (instance.fault !== undefined) return { instance, milliseconds: 0, fault: instance.fault };
    const asked = new URLSearchParams(query);
    asked.set('instance', instance.id);
    const path = `${question.path}?${asked}`;
    const start = performance.now();
    const headers = { ...instance.headers, ...(accept === undefined ? {} : { accept }), [passedHeader]: '1' };
    const answered = await askWithin({ ...instance, headers }, { path, ms: answerMs, bytes: largestDocument });
    const milliseconds = performance.now() - start;
    return { instance, milliseconds, ...('fault' in answered ? answered : toTold(answered, instance.id, question)) };
  };
  // The others are asked before this one begins to write.
  const asked = others.map(ask);
  const start = performance.now();
  const own = await question.own();
  const here = { instance: instances.self, milliseconds: performance.now() - start, ...own };
  const told = await Promise.all(asked);
  const byId = new Map([here, ...told].map((each) => [each.instance.id, each]));
  return sorted([instances.self, ...others]).flatMap(({ id }) => byId.get(id) ?? []);
}

const faults: Readonly<Record<number, string>> = { 404: missing, 409: 'has not created it' };

function toTold({ status, headers, text }: Answered, id: string, { isGarbage }: Question): Partial<Told> {
  if (headers[instanceHeader.toLowerCase()] !== id) return { fault: 'answered with something else' };
  if (status !== 200) return { fault: faults[status] ?? `answered ${status}` };
  if (isGarbage(text)) return { fault: 'answered with garbage' };
  return { text, isTruncated: headers['jig-truncated'] === 'true' };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function ownDocument<Context>(
  { controller, request, address }: ResourceCall<Context>,
  form: 'json' | 'xml',
  query: URLSearchParams,
): Promise<Partial<Told>> {
  try {
    const asked = { ...request, url: `?${query}` };
    const { inspection } = await controller.bean(address.entry, form, asked);
    const whole = await joinUpTo(inspection.chunks({ signal: request.raw.signal }), largestDocument);
    if (whole === undefined) return { fault: `has more than ${largestDocument / 2 ** 20} MB` };
    return { text: whole.toString(), isTruncated: inspection.truncated };
  } catch (error) {
    if (!isBeanProblem(error)) throw error;
    return { fault: faults[error.status] ?? error.message };
  }
}

/** Why an instance gave no document, as other markers are written. */
const marker = ({ fault = '' }: Told) => `[Instance ${fault}]`;

function toJson(told: readonly Told[], isPretty: boolean): string {
  const entries = told.map((each) => {
    const { text = JSON.stringify(marker(each)) } = each;
    const id = JSON.stringify(each.instance.id);
    return isPretty ? `\n  ${id}: ${text.replaceAll('\n', '\n  ')}` : `${id}:${text}`;
  });
  return `{${entries.join(',')}${isPretty ? '\n' : ''}}`;
}

function toXml(told: readonly Told[], isPretty: boolean): string {
  const line = isPretty ? '\n' : '';
  const elements = told.map((each) => {
    const { text = escapeHtml(marker(each)) } = each;
    return `<instance id="${escapeHtml(each.instance.id)}">${text.trimEnd()}</instance>${line}`;
  });
  return `<instances>${line}${elements.join('')}</instances>`;
}

async function pageOf<Context>(
  call: ResourceCall<Context>,
  told: readonly Told[],
  milliseconds: number,
): Promise<Answer> {
  const { controller, request, address } = call;
  const query = queryOf(request.url);
  const name = controller.shownName(address.entry);
  const answered = told.filter(({ text }) => text !== undefined);
  const compare = (texts: readonly string[]) => inSlices(valuesByPath(texts), request.raw.signal);
  const values = await compare(answered.map(({ text = '' }) => text));
  // What this instance shows otherwise by now always moves.
  const { text: own } = told.find(({ instance }) => instance.id === call.instances.here.id) ?? {};
  const { text: again = own } = own === undefined ? {} : await ownDocument(call, 'json', queryFor('html', request.url));
  const moved = own === undefined || again === undefined ? [] : (await compare([own, again])).different;
  const page = instancesPage(siteOf(call), {
    name,
    at: query.get('at') ?? '',
    bean: controller.describe(request).find((each) => each.name === name),
    told,
    values,
    milliseconds,
    moved: new Set(moved.map(({ pointer }) => pointer)),
    showsEqual: query.get('equal') === '1',
    showsMoving: query.get('always') === '1',
  });
  return { page, policy: pagePolicy };
}
