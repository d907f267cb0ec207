import { escapeHtml } from '@jig/http';
import { isJson, joinUpTo } from '@jig/inspect/internal';
import { encodeName } from '../beans/bean-list.ts';
import { siteOf } from '../browser/browser-answers.ts';
import { pageAnswer } from '../browser/page.ts';
import type { Call } from '../handle.ts';
import { type Answer, truncatedHeader, wholeAnswer } from '../http/answer.ts';
import { beanParameters, parseQuery, queryOf } from '../http/parameters.ts';
import { BeanProblem, isBeanProblem, noSuchBean } from '../http/problem.ts';
import { instanceHeader } from '../http/request.ts';
import { type Instance, sortByLabel } from '../instances/instances.ts';
import { type Answered, askWithin, headersToPass } from '../instances/proxy.ts';
import { labelledMetrics, metricsAnswer } from '../readings/prometheus.ts';
import type { RouteId } from '../routes.ts';
import { type InstanceDocument, instancesPage } from './compare-page.ts';
import { compareValues } from './table.ts';

/** The limits of the answer of each instance. */
const limits = { ms: 1000, bytes: 4 * 2 ** 20 };

const missing = 'does not have it';

/** What `/jig/@all/…` shows: one bean in all instances, or the metrics of all. Instances that do not answer are reported. */
export async function allAnswer(call: Call, id: RouteId): Promise<Answer> {
  const { mount, request, name, form } = call;
  if (id === 'metrics') return allMetrics(call);
  if (id !== 'beanAsJson' && id !== 'beanAsXml' && id !== 'beanPage')
    throw new BeanProblem(
      400,
      `All instances can be asked for a bean, such as ${request.prefix}/bean/{name}.json, and for ${request.prefix}/metrics.`,
    );
  mount.access.checkBean(name);
  // A wrong query is rejected before any instance is asked.
  const { pretty } = parseQuery(request.url, beanParameters, mount.look.limits);
  const path = `/bean/${encodeName(name)}.${form === 'xml' ? 'xml' : 'json'}?${queryFor(call)}`;
  const documents = await askAll(call, path, () => ownDocument(call));
  if (documents.every(({ fault }) => fault === missing)) throw noSuchBean(request);
  if (form === 'html') return pageOf(call, documents);
  const text = form === 'xml' ? toXml(documents, pretty) : toJson(documents, pretty);
  return wholeAnswer(
    text,
    `application/${form}`,
    truncated(documents.some((each) => each.isTruncated || each.fault !== undefined)),
  );
}

const truncated = (isTruncated: boolean) => (isTruncated ? { headers: { [truncatedHeader]: 'true' } } : {});

/** A page compares whole documents, so its other parameters are not passed on. */
function queryFor({ form, request }: Call): URLSearchParams {
  const query = queryOf(request.url);
  query.delete('instance');
  if (form !== 'html') return query;
  const at = query.get('at');
  return new URLSearchParams(at === null ? {} : { at });
}

/** The metrics of each instance, labelled with its id: those of one that gave none are missing. */
async function allMetrics(call: Call): Promise<Answer> {
  const own = metricsAnswer(call);
  const documents = await askAll(call, '/metrics', async () => ({ text: own.body }));
  const texts = documents.flatMap(({ instance: { id }, text }) => (text === undefined ? [] : [{ id, text }]));
  return wholeAnswer(
    labelledMetrics(texts),
    own.headers['content-type'] ?? '',
    truncated(texts.length < documents.length),
  );
}

type OwnDocument = () => Promise<Partial<InstanceDocument>>;

/** What each instance answers at a path below its prefix; this instance is not asked by HTTP. */
async function askAll({ mount, request, others }: Call, path: string, ownDocument: OwnDocument) {
  const { signal } = request.raw;
  const headers = headersToPass(request.raw.headers);
  // Documents are compared, whatever form the client wants.
  if (path.startsWith('/bean/')) delete headers.accept;
  const ask = async (instance: Instance): Promise<InstanceDocument> => {
    const { socket, prefix } = instance;
    const start = performance.now();
    const answered = await askWithin({ socket, path: prefix + path, headers, signal }, limits);
    const milliseconds = performance.now() - start;
    return { instance, milliseconds, ...('fault' in answered ? answered : toDocument(answered, instance.id, path)) };
  };
  // The others are asked before this one begins to write.
  const asked = others.map(ask);
  const start = performance.now();
  const own = await ownDocument();
  const here = { instance: mount.instances.self, milliseconds: performance.now() - start, ...own };
  const byId = new Map([here, ...(await Promise.all(asked))].map((each) => [each.instance.id, each]));
  return sortByLabel([mount.instances.self, ...others]).flatMap(({ id }) => byId.get(id) ?? []);
}

const faults: Readonly<Record<number, string>> = { 404: missing, 409: 'has not created it' };

function toDocument({ status, headers, text }: Answered, id: string, path: string): Partial<InstanceDocument> {
  // A refusal does not say which instance it comes from.
  const isRefused = status === 401 || status === 403;
  if (!isRefused && headers[instanceHeader.toLowerCase()] !== id) return { fault: 'answered with something else' };
  if (status !== 200) return { fault: faults[status] ?? `answered ${status}` };
  if (path.includes('.json?') && !isJson(text)) return { fault: 'answered with garbage' };
  return { text, isTruncated: headers['jig-truncated'] === 'true' };
}

async function ownDocument(call: Call): Promise<Partial<InstanceDocument>> {
  const { mount, request, name, form } = call;
  try {
    const { value } = await mount.beans.get(name, request);
    const asked = parseQuery(queryFor(call), beanParameters, mount.look.limits);
    const inspection = mount.look.bean(value, form === 'xml' ? 'xml' : 'json', asked);
    const whole = await joinUpTo(inspection.chunks({ signal: request.raw.signal }), limits.bytes);
    if (whole === undefined) return { fault: `has more than ${limits.bytes / 2 ** 20} MB` };
    return { text: whole.toString(), isTruncated: inspection.truncated };
  } catch (error) {
    if (!isBeanProblem(error)) throw error;
    return { fault: faults[error.status] ?? error.message };
  }
}

/** Why an instance gave no document, as a marker. */
const marker = ({ fault = '' }: InstanceDocument) => `[Instance ${fault}]`;

function toJson(documents: readonly InstanceDocument[], isPretty: boolean): string {
  const entries = documents.map((each) => {
    const { text = JSON.stringify(marker(each)) } = each;
    const id = JSON.stringify(each.instance.id);
    return isPretty ? `\n  ${id}: ${text.replaceAll('\n', '\n  ')}` : `${id}:${text}`;
  });
  return `{${entries.join(',')}${isPretty ? '\n' : ''}}`;
}

function toXml(documents: readonly InstanceDocument[], isPretty: boolean): string {
  const line = isPretty ? '\n' : '';
  const elements = documents.map((each) => {
    const { text = escapeHtml(marker(each)) } = each;
    return `<instance id="${escapeHtml(each.instance.id)}">${text.trimEnd()}</instance>${line}`;
  });
  return `<instances>${line}${elements.join('')}</instances>`;
}

async function pageOf(call: Call, documents: readonly InstanceDocument[]): Promise<Answer> {
  const { mount, request, name } = call;
  const query = queryOf(request.url);
  const compare = (texts: readonly string[]) => compareValues(texts.map((text) => JSON.parse(text)));
  // A value that has changed in this instance meanwhile always changes.
  const { text: own } = documents.find(({ instance }) => instance.id === mount.instances.here.id) ?? {};
  const { text: again = own } = own === undefined ? {} : await ownDocument(call);
  const moved = own === undefined || again === undefined ? [] : compare([own, again]).different;
  const page = instancesPage(siteOf(call), {
    name,
    at: query.get('at') ?? '',
    type: mount.beans.describe().find((each) => each.name === name)?.type,
    documents,
    table: compare(documents.flatMap(({ text }) => text ?? [])),
    moved: new Set(moved.map(({ pointer }) => pointer)),
    always: query.get('always') === '1',
  });
  return pageAnswer(page);
}
