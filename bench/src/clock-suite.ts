import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { requestCost, samplesUntilWarm } from './cpu-time.ts';
import type { PlannedRequest } from './http/load.ts';
import { ServerUnderTest } from './http/server-under-test.ts';
import { shareRounds } from './shared-rounds.ts';
import type { BenchContext, Contender, Suite } from './suite.ts';

const path = '/clock/time';
// English, because a German page with its head needs one TCP segment more than the page alone, which costs 10 µs.
const form = 'languageTag=en-GB&zoneID=Europe%2FBerlin';
const otherForm = 'languageTag=ja-JP&zoneID=Asia%2FKolkata';
const tables = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../packages/clock/data/tables.json', import.meta.url)), 'utf8'),
) as { tags: string; zones: string };
const tags = tables.tags.split(' ');
const zoneIds = tables.zones.split(',').map((row) => row.split(' ')[0] ?? '');

export const clockSuite: Suite = {
  name: 'clock',
  about:
    'The page at /clock/time, without a database, against raw `node:http` that is sent a bare GET and sends the same bytes.',
  async open(context) {
    const clock = await ServerUnderTest.startService(context);
    const cookie = await beginSession(clock.url, form);
    const poster = await beginSession(clock.url, form);
    const spread = await beginSessions(clock.url, 200, 400);
    const startRaw = async (cookies: readonly string[]) =>
      ServerUnderTest.startRaw(context, {
        body: await Promise.all(cookies.map((one) => fetchPage(clock.url, one))),
        headers: { 'content-type': 'text/html; charset=utf-8' },
      });
    const [raw, rawOfSession, rawSpread, tiny] = await Promise.all([
      startRaw(['']),
      startRaw([cookie]),
      startRaw(spread),
      ServerUnderTest.startRaw(context, { body: 'ok' }),
    ]);
    const processes = context.quick ? 1 : 2;
    const ofAllLocales = firstPagesOfAllLocales(processes, context);
    const inNewProcesses = { rounds: processes, warmUps: 0 };
    const warm = { warmUps: context.quick ? 1 : samplesUntilWarm };
    // Ours is warm from the rows before, the other is soon.
    const warmer = { warmUps: context.quick ? 1 : 3 };
    // Raw is sent a GET without headers: the reference is the least that node:http can cost.
    const pages = (raw: ServerUnderTest, ...headers: Record<string, string>[]) => ({
      ours: requestCost(
        clock,
        headers.map((each) => ({ path, headers: each })),
        context,
      ),
      reference: requestCost(raw, [{ path: '/' }], context),
    });
    // Two forms in turns, because an unchanged selection is not stored again.
    const forms = [posted(poster, otherForm), posted(poster, form)];
    const formCost = requestCost(clock, forms, context, { status: 302 });

    return {
      cases: [
        {
          name: 'warm, no cookie, identity',
          unit: 'µs CPU',
          target: { speed: 0.75 },
          ...warm,
          ...pages(raw, {}),
        },
        {
          name: 'warm, session in memory, identity',
          unit: 'µs CPU',
          target: { speed: 0.7 },
          ...warmer,
          ...pages(rawOfSession, { cookie }),
        },
        {
          name: 'warm, session in memory, gzip, against raw sending the page uncompressed',
          unit: 'µs CPU',
          target: { speed: 0.9, aim: 1.2 },
          ...warmer,
          ...pages(rawOfSession, { cookie, 'accept-encoding': 'gzip' }),
        },
        {
          name: 'POST → 302, session in memory, against raw that is sent the same forms',
          unit: 'µs CPU',
          target: { speed: 0.6 },
          ...warm,
          ours: formCost,
          reference: requestCost(tiny, forms, context),
        },
        {
          name: 'POST → 302, session in memory, against raw that is sent a bare GET',
          unit: 'µs CPU',
          target: { shown: true },
          ...warmer,
          ours: formCost,
          reference: requestCost(tiny, [{ path: '/' }], context),
        },
        {
          name: 'spread over 200 locales and 400 zones, all warm',
          unit: 'µs CPU',
          target: { speed: 0.5 },
          ...warmer,
          ...pages(rawSpread, ...spread.map((one) => ({ cookie: one }))),
        },
        {
          name: 'a locale never seen: main-thread time, median',
          unit: 'ms',
          target: { atMost: 5, aim: 2 },
          ours: ofAllLocales((pages) => quantileOf(pages, 0.5)),
          ...inNewProcesses,
        },
        {
          name: 'a locale never seen: main-thread time, 99th percentile',
          unit: 'ms',
          target: { atMost: 10 },
          ours: ofAllLocales((pages) => quantileOf(pages, 0.99)),
          ...inNewProcesses,
        },
        {
          name: 'resident memory after every locale was asked for once',
          unit: 'MB',
          target: { atMost: 150 },
          ours: ofAllLocales(({ memory }) => memory),
          ...inNewProcesses,
        },
      ],
      close: async () => {
        await Promise.all([clock, raw, rawOfSession, rawSpread, tiny].map((server) => server.stop()));
      },
    };
  },
};

const posted = (cookie: string, body: string): PlannedRequest => ({
  method: 'POST',
  path,
  headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
  body,
});

/** The cookie of a new session with this selection. */
async function beginSession(url: URL, selection: string): Promise<string> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const response = await fetch(new URL(path, url), { method: 'POST', body: selection, headers, redirect: 'manual' });
  await response.arrayBuffer();
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

async function fetchPage(url: URL, cookie: string): Promise<Buffer> {
  const headers = { cookie, 'accept-encoding': 'identity' };
  return Buffer.from(await (await fetch(new URL(path, url), { headers })).arrayBuffer());
}

/** One session for each zone, spread over the locales, so that no two pages are the same. */
async function beginSessions(url: URL, locales: number, zones: number): Promise<string[]> {
  const step = Math.floor(tags.length / locales);
  return Promise.all(
    Array.from({ length: zones }, (_, index) => {
      const languageTag = tags[(index % locales) * step] ?? '';
      return beginSession(url, new URLSearchParams({ languageTag, zoneID: zoneIds[index] ?? '' }).toString());
    }),
  );
}

interface FirstPages {
  /** Main-thread time of the first page of each locale in ms, sorted. */
  readonly costs: readonly number[];
  /** In MB, after all of them. */
  readonly memory: number;
}

/** Asks new processes for the page of every locale, some at the same time, since each mostly waits for its next request; rows share them. */
function firstPagesOfAllLocales(
  atOnce: number,
  context: BenchContext,
): (pick: (pages: FirstPages) => number) => Contender {
  let started: Promise<FirstPages[]> | undefined;
  let taken = 0;
  return shareRounds(async () => {
    if (taken % atOnce === 0) started = Promise.all(Array.from({ length: atOnce }, () => firstPages(context)));
    const pages = (await started)?.[taken % atOnce];
    taken += 1;
    if (pages === undefined) throw new Error('The pages of all locales were not measured.');
    return pages;
  });
}

async function firstPages(context: BenchContext): Promise<FirstPages> {
  const server = await ServerUnderTest.startService(context);
  try {
    await visit(server.url, 'en-US');
    const costs: number[] = [];
    for (const tag of tags) {
      const before = await server.usage();
      await visit(server.url, tag);
      costs.push(((await server.usage()).mainThread - before.mainThread) / 1000);
    }
    costs.sort((one, other) => one - other);
    return { costs, memory: (await server.usage()).memory.rss / 1e6 };
  } finally {
    await server.stop();
  }
}

const quantileOf = ({ costs }: FirstPages, quantile: number): number =>
  costs[Math.floor(costs.length * quantile)] ?? Number.NaN;

async function visit(url: URL, tag: string): Promise<void> {
  const headers = { 'accept-language': tag, 'accept-encoding': 'identity' };
  await (await fetch(new URL(path, url), { headers })).arrayBuffer();
}
