import { assertInTime } from '@jig/sessions';
import { ServerClock } from '@jig/sessions/internal';

/** Before a client gives a statement up, in parts of what it may take. */
const share = 0.9;

/** The clocks of the servers, by the connections to them: what was refused must not be stored when the server comes to it later. */
export class ServerClocks {
  readonly #clocks = new WeakMap<object, ServerClock>();
  /** In milliseconds. */
  readonly #timeout: number;

  /** A time-out of 0 is any time. */
  constructor(queryTimeout: number) {
    this.#timeout = queryTimeout === 0 ? Number.POSITIVE_INFINITY : queryTimeout * share;
  }

  /**
   * Runs a statement that does nothing after its deadline by the clock of the server, and may tell the time in its first row. One that does
   * not may have come too late because the clock was set: then it is asked for again.
   */
  async inTime<Row extends { readonly time?: unknown }>(
    connection: object,
    deadline = Number.POSITIVE_INFINITY,
    { askTime, run }: { askTime: () => Promise<unknown>; run: (latest: number) => Promise<readonly Row[]> },
  ): Promise<readonly Row[]> {
    const clock = this.#clocks.get(connection) ?? (await this.#ask(connection, askTime));
    assertInTime(deadline);
    const sent = performance.now();
    const rows = await run(clock.at(Math.min(deadline, sent + this.#timeout)));
    const shown = rows[0]?.time;
    if (shown === undefined) this.#clocks.delete(connection);
    else clock.learn(Number(shown), sent, performance.now());
    return rows;
  }

  async #ask(connection: object, askTime: () => Promise<unknown>): Promise<ServerClock> {
    const clock = new ServerClock();
    const asked = performance.now();
    clock.learn(Number(await askTime()), asked, performance.now());
    this.#clocks.set(connection, clock);
    return clock;
  }
}
