import { siteOf } from '../browser/browser-answers.ts';
import { pageAnswer, timeText } from '../browser/page.ts';
import type { Call } from '../handle.ts';
import { type Answer, events, json, redirect } from '../http/answer.ts';
import { type changeParameters, type ParameterValues, queryOf, type watchParameters } from '../http/parameters.ts';
import { BeanProblem, notFound } from '../http/problem.ts';
import { wantsStream } from '../http/request.ts';
import type { ReadingAddress } from '../options.ts';
import { ranges, summarize, toJson } from './rings.ts';
import { type WatchContent, watchedValues, watchPage } from './watch-page.ts';

type WatchQuery = ParameterValues<typeof watchParameters>;

/** The recorded values as a page, as JSON, or as an event stream. */
export async function watchAnswer(call: Call, query: WatchQuery): Promise<Answer> {
  if (wantsStream(call.request.raw)) return watchStream(call, query);
  call.mount.recordProcess();
  const content = contentOf(call, query);
  if (call.form !== 'html') return json(documentOf(content));
  const headers = content.view.isLive ? { refresh: '5' } : {};
  return pageAnswer(watchPage(siteOf(call), content), { headers });
}

/** For the script of the page. */
async function watchStream(call: Call, query: WatchQuery): Promise<Answer> {
  const { view, values } = contentOf(call, query);
  const site = siteOf(call);
  const stream = await call.mount.streams.watch<string>(
    {
      // With the values, so that a page that has just stopped watching one does not get an earlier read that has it.
      key: JSON.stringify(['watch', site.prefix, view, values.map(({ address, limits }) => [address, limits])]),
      read: () => watchedValues(site, contentOf(call, query)).toString(),
      data: (watched) => JSON.stringify({ time: timeText(new Date()), watched }),
    },
    call.request.raw,
  );
  return events(stream);
}

function contentOf({ mount, request }: Call, { range = '5m', bean, ...wanted }: WatchQuery): WatchContent {
  const { recorder } = mount;
  const isLive = queryOf(request.url).has('live');
  const { isFull } = recorder;
  const now = Date.now();
  if (bean === undefined) return { view: { range, isLive }, values: recorder.values, isFull, now };
  const only = addressOf({ ...wanted, bean });
  const value = recorder.find(only);
  if (value === undefined) throw notWatched();
  return { view: { range, only, isLive }, values: [value], isFull, now };
}

const notWatched = () => notFound('this value is not watched; POST starts that');

interface Wanted {
  readonly bean: string;
  readonly at?: string | undefined;
  readonly reading?: string | undefined;
}

function addressOf({ bean, at, reading }: Wanted): ReadingAddress {
  if (at !== undefined && reading === undefined) return { bean, at };
  if (reading !== undefined && at === undefined) return { bean, reading };
  throw new BeanProblem(400, 'Give either at, a JSON Pointer, or reading, the name of a reading.');
}

/** Starts recording, sets limits, or ends it. */
export async function changeWatch(
  { mount, request, form }: Call,
  { over, under, action, back, bean, ...wanted }: ParameterValues<typeof changeParameters>,
): Promise<Answer> {
  const { recorder } = mount;
  const value = addressOf({ ...wanted, bean });
  const isPage = form === 'html';
  if (action === 'remove' || request.raw.method === 'DELETE') {
    // A button of an outdated page still does what it says.
    if (!recorder.remove(value) && !isPage) throw notWatched();
    return isPage ? redirect(redirectTo(request.prefix, back)) : json(value);
  }
  const before = recorder.find(value);
  // An absent limit stays as it is; null (an empty field) removes it.
  const limitOf = (given: number | null | undefined, current?: number) =>
    given === undefined ? current : (given ?? undefined);
  const hasLimits = over !== undefined || under !== undefined;
  const limits = { over: limitOf(over, before?.limits.over), under: limitOf(under, before?.limits.under) };
  const recorded = recorder.watch(value, hasLimits ? limits : undefined);
  if (isPage) return redirect(redirectTo(request.prefix, back));
  const summary = summarize(recorded, '5m', Date.now());
  return json(toJson(recorded, summary), { status: before === undefined ? 201 : 200 });
}

const printableWithoutBackslash = /^[!-[\]-~]+$/;

/** Back to the page of a bean or of all values, and to no other address. */
function redirectTo(prefix: string, back = ''): string {
  const isOurs = back.startsWith(`${prefix}/bean/`) || back.startsWith(`${prefix}/watch`);
  return isOurs && printableWithoutBackslash.test(back) ? back : `${prefix}/watch`;
}

/** One value comes with every recorded step, several with the fewer steps that are drawn. */
const stepOf = ({ only, range }: WatchContent['view']) => ranges[range][only === undefined ? 'drawnMs' : 'stepMs'];

function documentOf({ view, values, now }: WatchContent): object {
  return {
    range: view.range,
    time: new Date(now).toISOString(),
    stepSeconds: stepOf(view) / 1000,
    values: values.map((recorded) => toJson(recorded, summarize(recorded, view.range, now, stepOf(view)))),
  };
}
