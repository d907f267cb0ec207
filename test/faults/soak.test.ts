import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { copyInitialisedHome } from '../support/initialised-home.ts';
import { mainWith, makeApplication } from '../support/make-application.ts';
import { type RunningService, startService } from '../support/start-service.ts';
import { Visitor } from '../support/visitor.ts';
import { databasePid } from './database-pid.ts';

/** `npm run soak` gives an hour. */
const seconds = Number(process.env.SOAK_SECONDS ?? 8);
const isLong = seconds >= 600;
const kills = isLong ? Math.round(seconds / 120) : 2;
const users = isLong ? 24 : 12;
/** How long a user waits after each visit, in milliseconds. */
const thinkTime = isLong ? 0 : 700;

/** The service with its add-ons, and beside its own beans one of a few MB. */
const main = mainWith(`[clockFeature, { name: 'big', register(host) {
  const rows = Array.from({ length: 20000 }, (_, id) => ({ id, name: 'row ' + id, tags: ['a', 'b'], made: new Date(id) }));
  host.define('big', { type: 'Big', create: () => ({ rows }) });
} }]`).replace('import', "import { clockFeature } from '@jig/clock';\nimport");

const environment = {
  // What was stored at the beginning must be there at the end.
  JIG_SESSIONS_TIME_TO_LIVE: '1d',
  // A busy machine is no fault of the service.
  JIG_SESSIONS_STORE_DEADLINE: '10s',
  JIG_DATABASE_CONNECT_TIMEOUT: '10s',
  JIG_DATABASE_SESSION_QUERY_TIMEOUT: '10s',
};

const beans = ['process', 'sessions', 'zones', 'locales', 'configuration', 'database', 'server'];
const encodings = ['gzip', 'identity'];
const visitsPerUser = 8;
const pick = (list: readonly string[], turn: number) => list[turn % list.length] ?? '';

/** Users of every locale who choose, look and inspect, while the database is killed again and again. */
async function soak(service: RunningService) {
  const began = performance.now();
  const page = await new Visitor(service.url).page();
  const tags = page.languageTag.options.map(([value]) => value);
  const zones = page.zoneID.options.map(([value]) => value);
  /** What each user stored; undefined where the answer did not say whether it was. */
  const stored = new Map<Visitor, Map<string, string | undefined>>();
  const surprises = new Set<string>();
  const holdings: { mebibytes: number; descriptors: number }[] = [];
  let requests = 0;
  let announced = 0;
  let killed = 0;
  /** From a kill until the database has been well for a while: then 503 is no surprise. */
  let isAway = false;
  /** Users stay until every kill has been survived. */
  const isOver = () => killed === kills && !isAway && performance.now() - began > seconds * 1000;

  async function ask(what: string, expected: number, send: () => Promise<Response>): Promise<boolean> {
    const wasAway = isAway;
    const status = await send().then(async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    }, String);
    requests++;
    if (status === 503 && (wasAway || isAway)) announced++;
    else if (status !== expected) surprises.add(`${what} was answered ${status}`);
    return status === expected;
  }

  async function visit(user: Visitor, turn: number): Promise<void> {
    const choice = { languageTag: pick(tags, turn), zoneID: pick(zones, turn * 7), [`visit ${turn % 5}`]: `${turn}` };
    const isStored = await ask('a choice', 302, () => user.choose(choice));
    const own = stored.get(user) ?? new Map<string, string | undefined>();
    stored.set(user, own);
    for (const [name, value] of Object.entries(choice)) own.set(name, isStored ? value : undefined);
    const headers = { 'accept-encoding': pick(encodings, turn) };
    await ask('the clock', 200, () => user.ask('/clock/time', { headers }));
    const format = turn % 2 === 0 ? 'json' : 'xml';
    await ask('a bean', 200, () => user.ask(`/jig/bean/${pick(beans, turn)}.${format}`));
    if (turn % 50 === 0) await ask('a big bean', 200, () => user.ask('/jig/bean/big.json'));
    if (turn % 10 === 0) await ask('no bean', 404, () => user.ask('/jig/bean/none.json'));
  }

  let turn = 0;
  async function use(): Promise<void> {
    while (!isOver()) {
      const user = new Visitor(service.url);
      for (let left = visitsPerUser; left > 0 && !isOver(); left--) {
        await visit(user, ++turn);
        await pause(thinkTime);
      }
    }
  }

  async function kill(): Promise<void> {
    while (killed < kills) {
      await pause(Math.max(0, (seconds * 1000 * (killed + 1)) / (kills + 1) - (performance.now() - began)));
      const pid = await databasePid(service);
      isAway = true;
      process.kill(pid, 'SIGKILL');
      killed++;
      // The service needs a moment to notice, and then to trust the new server.
      await pause(1000);
      await databasePid(service);
      await pause(3000);
      isAway = false;
    }
  }

  async function watch(): Promise<void> {
    while (!isOver()) {
      const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
      const descriptors = (await readdir(`/proc/${service.pid}/fd`)).length;
      holdings.push({ mebibytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024, descriptors });
      await pause(Math.min(10_000, (seconds * 1000) / 60));
    }
  }

  await Promise.all([...Array.from({ length: users }, use), kill(), watch()]);
  const lost: string[] = [];
  for (const [user, own] of stored) {
    const attributes = await user.attributes();
    for (const [name, value] of own)
      if (value !== undefined && attributes[name] !== value)
        lost.push(`${name} should be ${value} and is ${attributes[name]}`);
  }
  // Caches and the heap find their size in the first half.
  const { mebibytes = 0, descriptors = 0 } = holdings[Math.floor(holdings.length / 2)] ?? {};
  const last = holdings.at(-1);
  const growth = { mebibytes: (last?.mebibytes ?? 0) - mebibytes, descriptors: (last?.descriptors ?? 0) - descriptors };
  return { requests, sessions: stored.size, announced, surprises: [...surprises], lost, growth };
}

// Only an hour can find a slow leak. /proc tells of memory and descriptors.
it.runIf(process.platform === 'linux')(
  'the service loses no session under mixed traffic while the database is killed again and again',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'jig-soak-'));
    await chmod(home, 0o755);
    await copyInitialisedHome(home);
    const dependencies = ['@jig/bean-inspection', '@jig/embedded-database', '@jig/clock'];
    const application = await makeApplication({ main, dependencies });
    const service = await startService({
      main: application.main,
      workingDirectory: application.folder,
      environment,
      home,
    });
    try {
      const result = await soak(service);
      console.log(result);
      expect(result).toMatchObject({ surprises: [], lost: [] });
      expect(result.growth.descriptors).toBeLessThan(100);
      if (isLong) expect(result.growth.mebibytes).toBeLessThan(60);
      expect(result.announced).toBeGreaterThan(0);
      expect(result.sessions).toBeGreaterThanOrEqual(users);
    } finally {
      await service.stop();
      await application.remove();
      await rm(home, { recursive: true, force: true });
    }
  },
  2 * seconds * 1000 + 300_000,
);
