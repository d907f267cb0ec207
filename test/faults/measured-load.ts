import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../packages/redis-sessions/test-fixtures/redis-server.ts';
import { Visitor } from './database-notes.ts';

/** What visitors saw while something happened to the servers. */
export interface Figures {
  /** Pages and forms that were answered as ever. */
  readonly answered: number;
  /** Those that were told so by 503. */
  readonly refused: number;
  /** Statuses and errors that nobody should see. */
  readonly unexpected: readonly string[];
  /** Choices whose form was answered, and that are gone. */
  readonly lost: number;
  /** In milliseconds, by the clock of the visitor: on a busy machine, most of it is waiting for a core. */
  readonly slowest: number;
}

const notesPerVisitor = 8;
const pauseBetweenRequests = 50;

/** Visitors who choose and look, at the addresses in turn, until told to stop. */
export class MeasuredLoad {
  readonly #urls: readonly string[];
  readonly #pause: number;
  readonly #visitors: Visitor[] = [];
  readonly #unexpected: string[] = [];
  readonly #workers: Promise<void>[];
  #answered = 0;
  #refused = 0;
  #slowest = 0;
  #isOver = false;

  constructor(urls: readonly string[], width: number, pause = pauseBetweenRequests) {
    this.#urls = urls;
    this.#pause = pause;
    this.#workers = Array.from({ length: width }, (_, worker) => this.#work(worker));
  }

  get answered(): number {
    return this.#answered;
  }

  get refused(): number {
    return this.#refused;
  }

  /** Until so many more requests are answered as ever. */
  async goesOn(requests = 50): Promise<void> {
    const wanted = this.#answered + requests;
    await until(async () => this.#answered >= wanted, `${requests} requests were answered`);
  }

  /** Until so many more requests are refused. */
  async isRefused(requests = 1): Promise<void> {
    const wanted = this.#refused + requests;
    await until(async () => this.#refused >= wanted, `${requests} requests were refused`);
  }

  async end(): Promise<Figures> {
    this.#isOver = true;
    await Promise.all(this.#workers);
    let lost = 0;
    const visitors = this.#visitors.values();
    const look = async () => {
      for (const visitor of visitors) {
        const count = await lostBy(visitor);
        lost += count;
      }
    };
    await Promise.all(Array.from({ length: 8 }, look));
    return {
      answered: this.#answered,
      refused: this.#refused,
      unexpected: this.#unexpected,
      lost,
      slowest: Math.round(this.#slowest),
    };
  }

  async #work(worker: number): Promise<void> {
    // They do not all come at once.
    await sleep(Math.random() * this.#pause);
    for (let turn = worker; !this.#isOver; turn++) {
      let visitor = new Visitor(this.#url(turn));
      for (let count = 0; count < notesPerVisitor && !this.#isOver; count++) {
        const before = visitor;
        const noted = await this.#timed(() => before.note(`note ${count}`, `${worker}/${turn}`));
        visitor = (noted?.visitor ?? visitor).at(this.#url(turn + count));
        const seen = visitor;
        await this.#timed(() => seen.read());
        await sleep(this.#pause);
      }
      if (Object.keys(visitor.noted).length > 0) this.#visitors.push(visitor);
    }
  }

  #url(turn: number): string {
    return this.#urls[turn % this.#urls.length] ?? '';
  }

  async #timed<Result extends { status: number }>(request: () => Promise<Result>): Promise<Result | undefined> {
    const began = performance.now();
    try {
      const result = await request();
      if (result.status === 200 || result.status === 302) this.#answered++;
      else if (result.status === 503) this.#refused++;
      else this.#unexpected.push(String(result.status));
      return result;
    } catch (error) {
      this.#unexpected.push(String((error as Error).cause ?? error));
      return undefined;
    } finally {
      this.#slowest = Math.max(this.#slowest, performance.now() - began);
    }
  }
}

/** How many of the choices that were answered are not there any more. */
async function lostBy(visitor: Visitor): Promise<number> {
  let notes: Record<string, string> = {};
  const isRead = async () => {
    const seen = await visitor.read();
    notes = seen.notes;
    return seen.status === 200;
  };
  await until(isRead, 'a visitor sees a page again');
  return Object.entries(visitor.noted).filter(([name, value]) => notes[name] !== value).length;
}
