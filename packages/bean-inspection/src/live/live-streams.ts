import { BeanProblem } from '../http/problem.ts';
import type { RawRequest } from '../http/request.ts';

/** What a client watches. Streams of the same key share each read. */
export interface LiveView<State = unknown> {
  /** Equal for views that show the same: the same bean, part, options and form. */
  readonly key: string;
  /** How often to read, in milliseconds; at least 1,000, which is the default. */
  readonly everyMs?: number;
  /** Reads the current state. An error ends the stream. */
  read(): State | Promise<State>;
  /** The data of the event that tells a client how `next` differs from the state that it was sent last, if any; undefined if it does not. */
  data(next: State, previous: State | undefined): string | undefined;
}

export interface LiveStreamsOptions {
  /** How many streams can be open at once. */
  readonly maxStreams?: number;
  readonly shortestPauseMs?: number;
  /** Proxies close idle connections, mostly after 30 or 60 seconds. */
  readonly heartbeatMs?: number;
}

interface Read<State = unknown> {
  readonly at: number;
  readonly state: Promise<State>;
  /** The event for a client, by the state that it was sent last: the same for nearly all clients. */
  readonly events: Map<State | undefined, string | undefined>;
}

/** How long a browser waits before it asks again. */
const retryMs = 2000;

/** All event streams of one mount. A slow client skips states: its next event is made when it has read the last one. */
export class LiveStreams {
  readonly #options: Required<LiveStreamsOptions>;
  readonly #reads = new Map<string, Read>();
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
      const first = this.#read(view);
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
    first: Read<State>,
    client: Pick<RawRequest, 'signal' | 'isClosing'>,
  ): AsyncGenerator<string, void, undefined> {
    const { shortestPauseMs, heartbeatMs } = this.#options;
    const signal = AbortSignal.any([client.signal, this.#closing.signal]);
    let previous: State | undefined;
    let sentAt = performance.now();
    this.open++;
    try {
      yield `retry: ${retryMs}\n\n`;
      for (let read = first; ; read = this.#read(view)) {
        const next = await read.state;
        const event = next === previous ? undefined : eventFor(view, read, next, previous);
        if (event !== undefined) previous = next;
        if (event !== undefined || performance.now() - sentAt > heartbeatMs) {
          sentAt = performance.now();
          yield event ?? ':\n\n';
        }
        await pause(shortestPauseMs, signal);
        if (signal.aborted || client.isClosing()) return;
      }
    } catch {
      // The client has disconnected, or gets the reason when it reconnects.
    } finally {
      this.open--;
      this.#reads.delete(view.key);
    }
  }

  /** The last read of the same key, unless it is too old. */
  #read<State>(view: LiveView<State>): Read<State> {
    const { key, everyMs = 0 } = view;
    const { shortestPauseMs } = this.#options;
    const longest = Math.max(everyMs, shortestPauseMs);
    const known = this.#reads.get(key) as Read<State> | undefined;
    // Timers may fire a little early.
    if (known !== undefined && performance.now() - known.at < longest - shortestPauseMs / 2) return known;
    const read: Read<State> = { at: performance.now(), state: (async () => view.read())(), events: new Map() };
    this.#reads.set(key, read as Read);
    read.state.catch(() => this.#reads.delete(key));
    return read;
  }
}

function eventFor<State>(view: LiveView<State>, { events }: Read<State>, next: State, previous: State | undefined) {
  if (!events.has(previous)) {
    const data = view.data(next, previous);
    events.set(previous, data === undefined ? data : formatEvent(data));
  }
  return events.get(previous);
}

/** Does not keep the process alive. */
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
