import type { Answer, ResourceCall } from '../../beans/resource.ts';
import { BeanProblem } from '../../http/problem.ts';
import { changeParameters, parseQuery, queryOf, watchParameters } from '../../http/query-parameters.ts';
import { readFields } from '../../http/request-body.ts';
import { streamsOf } from '../../live/live-streams.ts';
import type { ReadingAddress } from '../../readings/readings.ts';
import type { RecordedValue } from '../../watch/recorder.ts';
import { recorderOf, recordProcess } from '../../watch/recording.ts';
import { ranges } from '../../watch/rings.ts';
import { summarize, toJson } from '../../watch/summary.ts';
import { siteOf } from '../browser-answers.ts';
import { pagePolicy, timeText } from '../page.ts';
import { type WatchContent, watchedValues, watchPage } from './watch-page.ts';

/** What is recorded, as a page or a document. */
export function watchAnswer<Context>(call: ResourceCall<Context>): Answer {
  const { controller, address, form } = call;
  recordProcess(controller);
  const content = contentOf(call);
  if (address.extension === undefined && form === 'html') {
    const headers = content.view.isLive ? { refresh: '5' } : {};
    return { page: watchPage(siteOf(call), content), policy: pagePolicy, headers };
  }
  if (address.extension !== 'csv') return { bytes: JSON.stringify(documentOf(content)), mediaType: 'application/json' };
  const headers = { 'content-disposition': 'attachment; filename="watch.csv"' };
  return { bytes: csvOf(content), mediaType: 'text/csv; charset=utf-8', headers };
}

/** The same as it changes, for the script of the page. */
export async function watchStream<Context>(call: ResourceCall<Context>): Promise<Answer> {
  const { controller, form } = call;
  const { view, values } = contentOf(call);
  const site = siteOf(call);
  const look = () => watchedValues(site, contentOf(call)).toString();
  const stream = await streamsOf(controller).watch<string>(
    {
      // A page that has just stopped watching a value must not be shown what others were shown before that.
      key: JSON.stringify(['watch', site.prefix, view, values.map(({ address, limits }) => [address, limits])]),
      look,
      event: (next, previous) =>
        next === previous ? undefined : { data: JSON.stringify({ time: timeText(new Date()), watched: next }) },
    },
    form,
  );
  return { stream };
}

function contentOf<Context>(call: ResourceCall<Context>): WatchContent {
  const { controller, request, form } = call;
  const { range = '5m', ...wanted } = parseQuery(request.url, watchParameters, controller.limits, form);
  const recorder = recorderOf(controller);
  const isLive = queryOf(request.url).has('live');
  const now = recorder.now();
  if (wanted.bean === undefined)
    return { view: { range, isLive }, values: recorder.values, isFull: recorder.isFull, now };
  const only = addressOf(call, { ...wanted, bean: wanted.bean });
  const value = recorder.find(only);
  if (value === undefined) throw controller.notFound(request, form, notWatched);
  return { view: { range, only, isLive }, values: [value], isFull: recorder.isFull, now };
}

const notWatched = 'this value is not watched; POST starts that';

interface Wanted {
  readonly bean: string;
  readonly at?: string | undefined;
  readonly reading?: string | undefined;
}

function addressOf<Context>(
  { controller, form }: ResourceCall<Context>,
  { bean, at, reading }: Wanted,
): ReadingAddress {
  const name = controller.shownName(bean);
  if (at !== undefined && reading === undefined) return { bean: name, at };
  if (reading !== undefined && at === undefined) return { bean: name, reading };
  throw new BeanProblem(400, 'Give either at, a JSON Pointer, or reading, the name of a reading.', { form });
}

/** Starts recording, sets limits, or ends it. */
export async function changeWatch<Context>(call: ResourceCall<Context>): Promise<Answer> {
  const { controller, request, address, form } = call;
  const query = queryOf(request.url);
  for (const [name, value] of await readFields(request, form)) query.append(name, value);
  const { over, under, action, back, ...wanted } = parseQuery(query, changeParameters, controller.limits, form);
  const value = addressOf(call, { ...wanted, bean: wanted.bean ?? '' });
  const recorder = recorderOf(controller);
  const isPage = address.extension === undefined && form === 'html';
  if (action === 'remove' || request.raw.method === 'DELETE') {
    // Whoever presses a button of a page that is old gets what he wants.
    if (!recorder.remove(value) && !isPage) throw controller.notFound(request, form, notWatched);
    return isPage
      ? { redirect: redirectTo(call, back) }
      : { bytes: JSON.stringify(value), mediaType: 'application/json' };
  }
  const isNew = recorder.find(value) === undefined;
  const limits = query.has('over') || query.has('under') ? { over, under } : undefined;
  const recorded = recorder.watch(value, limits, form);
  if (isPage) return { redirect: redirectTo(call, back) };
  const summary = summarize(recorded, '5m', recorder.now());
  return { bytes: JSON.stringify(toJson(recorded, summary)), mediaType: 'application/json', status: isNew ? 201 : 200 };
}

/** Back to the page of a bean or of all values, and to no other address. */
function redirectTo<Context>({ request: { prefix } }: ResourceCall<Context>, back = ''): string {
  const isOurs = back.startsWith(`${prefix}/bean/`) || back.startsWith(`${prefix}/watch`);
  return isOurs && /^[!-[\]-~]+$/.test(back) ? back : `${prefix}/watch`;
}

/** Of one value every step that was recorded; of several those that are drawn, which are fewer. */
const stepOf = ({ only, range }: WatchContent['view']) => ranges[range][only === undefined ? 'drawnMs' : 'stepMs'];

const summariesOf = ({ view, values, now }: WatchContent) =>
  values.map((recorded) => ({ recorded, summary: summarize(recorded, view.range, now, stepOf(view)) }));

function documentOf(content: WatchContent): object {
  const { view, now } = content;
  return {
    range: view.range,
    time: new Date(now).toISOString(),
    stepSeconds: stepOf(view) / 1000,
    values: summariesOf(content).map(({ recorded, summary }) => toJson(recorded, summary)),
  };
}

function csvOf(content: WatchContent): string {
  const rows = summariesOf(content).flatMap(({ recorded, summary }) => {
    const head = csvLine(csvNames(recorded));
    return summary.steps.flatMap((step) =>
      step === undefined
        ? []
        : [`${new Date(step.time).toISOString()},${head},${step.min},${step.mean},${step.max}\r\n`],
    );
  });
  return `time,bean,at,reading,unit,min,mean,max\r\n${rows.join('')}`;
}

const csvNames = ({ address, now: { unit = '' } }: RecordedValue) => [
  address.bean,
  'at' in address ? address.at : '',
  'reading' in address ? address.reading : '',
  unit,
];

/** As RFC 4180 says. */
const csvLine = (cells: readonly string[]) =>
  cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',');
