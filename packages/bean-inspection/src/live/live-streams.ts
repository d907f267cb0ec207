import { BeanProblem } from '../http/problem.ts';
import type { RawRequest } from '../http/request.ts';

/** What a client watches. Streams of the same key share each read. */
export interface LiveView<State = unknown> {
  /** The same for all that show the same: the bean, the part, the options and the form. */
  readonly key: string;
  /** How often to read, in milliseconds; 1,000 by default, and at least. */
  readonly everyMs?: number;
  /** Reads the current state. An error ends the stream. */
  look(): State | Promise<State>;
  /** The data that takes a client from the state that it was sent last, if any, to another one; undefined if nothing differs. */
  data(next: State, previous: State | undefined): string | undefined;
}

export interface LiveStreamsOptions {
  /** How many streams can be open at once. */
  readonly maxStreams?: number;
  readonly shortestPauseMs?: number;
  /** Proxies close idle connections, mostly after 30 or 60 seconds. */
  readonly heartbeatMs?: number;
}

interface Look<State = unknown> {
  readonly at: number;
  readonly state: Promise<State>;
  /** What takes a client here, by the state that it was sent last: the same for nearly all clients. */
  readonly texts: Map<State | undefined, string | undefined>;
}

/** How long a browser waits before it asks again. */
const retryMs = 2000;

/** All event streams of one mount. A client that reads slowly skips states: the next is made when it has read the last. */
export class LiveStreams {
  readonly #options: Required<LiveStreamsOptions>;
  readonly #looks = new Map<string, Look>();
  readonly #closing = new AbortController();
  /** How many streams are open, or wait for their first state. */
  open = 0;

  constructor({ maxStreams = 100, shortestPauseMs = 1000, heartbeatMs = 15_000 }: LiveStreamsOptions = {}) {
    this.#options = { maxStreams, shortestPauseMs, heartbeatMs };
  }

  /** A stream, once there is something to send; throws a problem when the first read fails, or too many streams are open. */
  async watch<State>(
    view: LiveView<State>,
    client: Pick<RawRequest, 'signal' | 'isClosing'>,
  ): Promise<AsyncGenerator<string, void, undefined>> {
    const { maxStreams } = this.#options;
    if (this.#closing.signal.aborted || this.open >= maxStreams) {
      const detail = `No more than ${maxStreams} event streams can be open at once; close a live page, or try again later.`;
      throw new BeanProblem(503, detail, { headers: { 'retry-after': '5' } });
    }
    this.open++;
    try {
      const first = this.#look(view);
      await first.state;
      return this.#events(view, first, client);
    } finally {
      this.open--;
    }
  }

  /** Ends all streams, and rejects new ones. */
  close(): void {
    this.#closing.abort();
  }

  async *#events<State>(
    view: LiveView<State>,
    first: Look<State>,
    client: Pick<RawRequest, 'signal' | 'isClosing'>,
  ): AsyncGenerator<string, void, undefined> {
    const { shortestPauseMs, heartbeatMs } = this.#options;
    const signal = AbortSignal.any([client.signal, this.#closing.signal]);
    let previous: State | undefined;
    let sentAt = performance.now();
    this.open++;
    try {
      yield `retry: ${retryMs}\n\n`;
      for (let look = first; ; look = this.#look(view)) {
        const next = await look.state;
        const text = next === previous ? undefined : textOf(view, look, next, previous);
        if (text !== undefined) previous = next;
        if (text !== undefined || performance.now() - sentAt > heartbeatMs) {
          sentAt = performance.now();
          yield text ?? ':\n\n';
        }
        await pause(shortestPauseMs, signal);
        if (signal.aborted || client.isClosing()) return;
      }
    } catch {
      // The client has disconnected, or gets the reason when it reconnects.
    } finally {
      this.open--;
      this.#looks.delete(view.key);
    }
  }

  /** The last read of the same key, unless it is too old. */
  #look<State>(view: LiveView<State>): Look<State> {
    const { key, everyMs = 0 } = view;
    const { shortestPauseMs } = this.#options;
    const longest = Math.max(everyMs, shortestPauseMs);
    const known = this.#looks.get(key) as Look<State> | undefined;
    // Timers are a little early now and then.
    if (known !== undefined && performance.now() - known.at < longest - shortestPauseMs / 2) return known;
    const look: Look<State> = { at: performance.now(), state: (async () => view.look())(), texts: new Map() };
    this.#looks.set(key, look as Look);
    look.state.catch(() => this.#looks.delete(key));
    return look;
  }
}

function textOf<State>(view: LiveView<State>, { texts }: Look<State>, next: State, previous: State | undefined) {
  if (!texts.has(previous)) {
    const data = view.data(next, previous);
    texts.set(previous, data === undefined ? data : formatEvent(data));
  }
  return texts.get(previous);
}

/** Keeps no process alive. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds).unref();
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });

/** Every line of the data has its own field. */
function formatEvent(data: string): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `${lines.join('')}\n`;
}
