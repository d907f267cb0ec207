import { ServerClock } from '@jig/sessions/internal';

/** Before a client gives a statement up, in parts of what it may take. */
const share = 0.9;

/** The clocks of the servers, by the connections to them: what was refused must not be stored when the server comes to it later. */
export class ServerClocks {
  readonly #clocks = new WeakMap<object, ServerClock>();
  /** In milliseconds; 0 for any time. */
  readonly #queryTimeout: number;

  constructor(queryTimeout: number) {
    this.#queryTimeout = queryTimeout;
  }

  /** When a statement on this connection is over, by the clock of its server; asks for the time on the first call. */
  async deadline(connection: object, deadline: number, askTime: () => Promise<number>): Promise<number> {
    const clock = this.#clocks.get(connection) ?? (await this.#ask(connection, askTime));
    const timeout = this.#queryTimeout === 0 ? Number.POSITIVE_INFINITY : this.#queryTimeout;
    return clock.at(Math.min(deadline, performance.now() + timeout * share));
  }

  /** From what a statement told. One that did nothing may have come too late because the clock was set: it is asked for again. */
  learn(connection: object, shown: number | undefined, sent: number): void {
    if (shown === undefined) this.#clocks.delete(connection);
    else this.#clocks.get(connection)?.learn(shown, sent, performance.now());
  }

  async #ask(connection: object, askTime: () => Promise<number>): Promise<ServerClock> {
    const clock = new ServerClock();
    const asked = performance.now();
    clock.learn(await askTime(), asked, performance.now());
    this.#clocks.set(connection, clock);
    return clock;
  }
}
