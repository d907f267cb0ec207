import { setTimeout as pause } from 'node:timers/promises';
import type { RunningService } from '../support/start-service.ts';
import { type Holding, holdingOf, Latencies } from './measurements.ts';
import type { SoakOptions, SoakResult } from './soak.ts';
import { SoakVisitor } from './soak-visitor.ts';

const beans = ['process', 'sessions', 'zones', 'locales', 'configuration', 'database', 'server'];
const encodings = ['br', 'gzip', 'identity'];
const visitsPerUser = 8;

/** One of a list, by a number that only grows. */
const pick = (list: readonly string[], turn: number) => list[turn % list.length] ?? '';

/** The values that a select of the page offers. */
const offered = (page: string, select: string) =>
  [...(page.split(`name="${select}"`)[1]?.split('</select>')[0] ?? '').matchAll(/value="([^"]+)"/g)].map(
    ([, text]) => text ?? '',
  );

/** One soak: its users, the one who kills the database, and the one who measures. */
export class SoakRun {
  readonly #service: RunningService;
  readonly #options: SoakOptions;
  readonly #began = performance.now();
  readonly #latencies = new Map<string, Latencies>();
  readonly #surprises: string[] = [];
  readonly #holdings: Holding[] = [];
  readonly #visitors: SoakVisitor[] = [];
  #tags: readonly string[] = [];
  #zones: readonly string[] = [];
  #turn = 0;
  #kills = 0;
  #announced = 0;
  /** From a kill until the database has been well for a while: then 503 is no surprise. */
  #isAway = false;

  constructor(service: RunningService, options: SoakOptions) {
    this.#service = service;
    this.#options = options;
  }

  async result(): Promise<SoakResult> {
    const page = await (await fetch(`${this.#service.url}/clock/time`)).text();
    this.#tags = offered(page, 'languageTag');
    this.#zones = offered(page, 'zoneID');
    const users = Array.from({ length: this.#options.users }, () => this.#use());
    await Promise.all([...users, this.#kill(), this.#watch()]);
    const wrongSessions: string[] = [];
    for (const visitor of this.#visitors) wrongSessions.push(...(await visitor.differences()));
    return {
      latencies: this.#latencies,
      kills: this.#kills,
      surprises: this.#surprises,
      announced: this.#announced,
      sessions: this.#visitors.length,
      wrongSessions,
      holdings: this.#holdings,
    };
  }

  /** On a slow machine a soak takes longer: users stay until every kill has been survived. */
  get #isOver(): boolean {
    const { kills, seconds } = this.#options;
    return this.#kills === kills && !this.#isAway && performance.now() - this.#began > seconds * 1000;
  }

  async #use(): Promise<void> {
    while (!this.#isOver) {
      const visitor = new SoakVisitor(this.#service.url);
      this.#visitors.push(visitor);
      for (let visit = 0; visit < visitsPerUser && !this.#isOver; visit += 1) {
        await this.#visit(visitor, visit);
        await pause(this.#options.thinkTime ?? 0);
      }
    }
  }

  /** Every visit is of another locale and zone, which no cache of pages can keep up with. */
  async #visit(visitor: SoakVisitor, visit: number): Promise<void> {
    const turn = ++this.#turn;
    const chosen = { languageTag: pick(this.#tags, turn), zoneID: pick(this.#zones, turn * 7) };
    const headers = { 'accept-encoding': pick(encodings, turn) };
    await this.#timed('choose', 302, () => visitor.choose({ ...chosen, [`visit ${visit}`]: String(turn) }));
    await this.#timed('clock', 200, () => this.#get('/clock/time', { ...visitor.headers, ...headers }));
    const bean = `${pick(beans, turn)}.${turn % 2 === 0 ? 'json' : 'xml'}`;
    await this.#timed('bean', 200, () => this.#get(`/jig/bean/${bean}`, visitor.headers));
    if (turn % 50 === 0) await this.#timed('big bean', 200, () => this.#get('/jig/bean/big.json'));
    if (turn % 10 === 0) await this.#timed('not found', 404, () => this.#get('/jig/bean/none.json'));
  }

  async #get(path: string, headers: Record<string, string> = {}): Promise<number> {
    const answer = await fetch(this.#service.url + path, { headers, signal: AbortSignal.timeout(30_000) });
    await answer.arrayBuffer();
    return answer.status;
  }

  async #timed(kind: string, expected: number, send: () => Promise<number>): Promise<void> {
    const latencies = this.#latencies.get(kind) ?? new Latencies();
    this.#latencies.set(kind, latencies);
    const wasAway = this.#isAway;
    const start = performance.now();
    const status = await send().catch(String);
    latencies.add(performance.now() - start);
    if (status === 503 && (wasAway || this.#isAway)) this.#announced += 1;
    else if (status !== expected) this.#surprises.push(`${kind} was answered ${status}`);
  }

  async #kill(): Promise<void> {
    const { kills, seconds } = this.#options;
    while (this.#kills < kills) {
      const due = (seconds * 1000 * (this.#kills + 1)) / (kills + 1);
      await pause(Math.max(0, due - (performance.now() - this.#began)));
      const { pid } = await this.#database();
      this.#isAway = true;
      process.kill(pid, 'SIGKILL');
      this.#kills += 1;
      // The service needs a moment to notice, and then to trust the new server.
      await pause(1000);
      while (!(await this.#database()).isWell) await pause(100);
      await pause(3000);
      this.#isAway = false;
    }
  }

  async #database(): Promise<{ isWell: boolean; pid: number }> {
    const answer = await fetch(`${this.#service.url}/health`);
    const { parts } = (await answer.json()) as { parts: { database: { details: { pid: number } } } };
    return { isWell: answer.status === 200, pid: parts.database.details.pid };
  }

  async #watch(): Promise<void> {
    const interval = Math.min(10_000, (this.#options.seconds * 1000) / 60);
    while (!this.#isOver) {
      const holding = await holdingOf(this.#service.pid, this.#began);
      this.#holdings.push(holding);
      if (this.#holdings.length % 6 === 0) this.#options.report?.(this.#line(holding));
      await pause(interval);
    }
  }

  #line({ seconds, mebibytes, descriptors }: Holding): string {
    const requests = [...this.#latencies.values()].reduce((sum, { count }) => sum + count, 0);
    const held = `${mebibytes.toFixed(0)} MiB, ${descriptors} descriptors`;
    return `${seconds.toFixed(0)} s: ${requests} requests, ${held}, ${this.#kills} kills, ${this.#announced} announced 503, ${this.#surprises.length} surprises`;
  }
}
