import { readFileSync } from 'node:fs';
import { posted } from './http/load.ts';
import { beginSession, ServerUnderTest } from './http/server-under-test.ts';
import { quantile } from './judge.ts';
import { atMost, requestCost, samplesUntilWarm, shareRounds } from './samples.ts';
import type { BenchContext, Suite } from './suite.ts';

const path = '/clock/time';
// English, because a German page with its head needs one TCP segment more than the page alone, which costs 10 µs.
const form = 'languageTag=en-GB&zoneID=Europe%2FBerlin';
const otherForm = 'languageTag=ja-JP&zoneID=Asia%2FKolkata';
const firstColumn = (file: string) =>
  readFileSync(new URL(`../../packages/clock/data/${file}`, import.meta.url), 'utf8').match(/^\S+/gm) ?? [];
const [tags, zoneIds] = [firstColumn('locales.txt'), firstColumn('zones.txt')];

export const clockSuite: Suite = {
  name: 'clock',
  about:
    'The page at /clock/time, without a database, against raw `node:http` that is sent a bare GET and sends the same bytes.',
  async open(context) {
    const clock = await ServerUnderTest.startService(context);
    const page = new URL(path, clock.url);
    const [cookie, poster] = [await beginSession(page, form), await beginSession(page, form)];
    const spread = await beginSessions(page, 200, 400);
    const startRaw = async (cookies: readonly string[]) =>
      ServerUnderTest.startRaw(context, await Promise.all(cookies.map((one) => fetchPage(page, { cookie: one }))), {
        'content-type': 'text/html; charset=utf-8',
      });
    const [raw, rawOfSession, rawSpread, tiny] = await Promise.all([
      startRaw(['']),
      startRaw([cookie]),
      startRaw(spread),
      ServerUnderTest.startRaw(context, 'ok'),
    ]);
    const warm = { warmUps: samplesUntilWarm };
    // Ours is warm from the rows before, the other is soon.
    const warmer = { warmUps: 3 };
    const pages = (speed: number, server: ServerUnderTest, ...headers: Record<string, string>[]) => {
      const requests = headers.map((each) => ({ path, headers: each }));
      // Raw is sent a GET without headers: the reference is the least that node:http can cost.
      const reference = requestCost(server, [{ path: '/' }], context);
      return { target: { speed }, ...warmer, ours: requestCost(clock, requests, context), reference };
    };
    // Two forms in turns, because an unchanged selection is not stored again.
    const forms = [otherForm, form].map((each) => posted(path, each, { cookie: poster }));
    const ofAllLocales = shareRounds(() => firstPages(context));
    const ofNew = (name: string, unit: string, most: number, pick: Parameters<typeof ofAllLocales>[0]) => {
      return { ...atMost(most, unit, name, ofAllLocales(pick)), rounds: 2, warmUps: 0 };
    };

    return [
      { name: 'warm, no cookie, identity', ...pages(0.6, raw, {}), ...warm },
      { name: 'warm, session in memory, identity', ...pages(0.55, rawOfSession, { cookie }) },
      {
        name: 'warm, session in memory, gzip, against raw sending the page uncompressed',
        ...pages(0.75, rawOfSession, { cookie, 'accept-encoding': 'gzip' }),
      },
      {
        name: 'POST → 302, session in memory, against raw that is sent the same forms',
        target: { speed: 0.6 },
        ...warm,
        ours: requestCost(clock, forms, context, { status: 302 }),
        reference: requestCost(tiny, forms, context),
      },
      {
        name: 'spread over 200 locales and 400 zones, all warm',
        ...pages(0.4, rawSpread, ...spread.map((one) => ({ cookie: one }))),
      },
      ofNew('a locale never seen: main-thread time, median', 'ms', 20, ({ costs }) => quantile(costs, 0.5)),
      ofNew('a locale never seen: main-thread time, 95th percentile', 'ms', 60, ({ costs }) => quantile(costs, 0.95)),
      ofNew('resident memory after every locale was asked for once', 'MB', 150, ({ memory }) => memory),
    ];
  },
};

async function fetchPage(page: URL, headers: Record<string, string>): Promise<Uint8Array> {
  const response = await fetch(page, { headers: { 'accept-encoding': 'identity', ...headers } });
  return new Uint8Array(await response.arrayBuffer());
}

/** One session for each zone, spread over the locales, so that no two pages are the same. */
function beginSessions(page: URL, locales: number, zones: number): Promise<string[]> {
  const step = Math.floor(tags.length / locales);
  const sessions = zoneIds.slice(0, zones).map((zoneID, index) => {
    const languageTag = tags[(index % locales) * step] ?? '';
    return beginSession(page, new URLSearchParams({ languageTag, zoneID }).toString());
  });
  return Promise.all(sessions);
}

/** Asks a new process for the page of every locale: the main-thread time of each in ms, and the memory after them in MB. */
async function firstPages(context: BenchContext) {
  const server = await ServerUnderTest.startService(context);
  const page = new URL(path, server.url);
  await fetchPage(page, { 'accept-language': 'en-US' });
  const costs: number[] = [];
  for (const tag of tags) {
    const before = await server.usage();
    await fetchPage(page, { 'accept-language': tag });
    costs.push(((await server.usage()).mainThread - before.mainThread) / 1000);
  }
  const { memory } = await server.usage();
  await server.stop();
  return { costs, memory: memory.rss / 1e6 };
}
