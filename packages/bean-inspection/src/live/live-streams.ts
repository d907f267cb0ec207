import type { EventClient, EventSink, EventStream, LiveEvent, LiveView } from '../http/event-stream.ts';
import { BeanProblem, type ProblemForm } from '../http/problem.ts';

export interface LiveStreamsOptions {
  /** How many streams can be open at once. */
  readonly most?: number;
  readonly shortestPauseMs?: number;
  /** Proxies close connections on which nothing comes, mostly after 30 or 60 seconds. */
  readonly heartbeatMs?: number;
}

/** How long a browser waits before it asks again. */
const retryMs = 2000;

/** All event streams of one mount. Those that show the same share one look at a time. */
export class LiveStreams {
  readonly #views = new Map<string, SharedView>();
  readonly #options: Required<LiveStreamsOptions>;
  #isClosed = false;

  constructor({ most = 100, shortestPauseMs = 1000, heartbeatMs = 15_000 }: LiveStreamsOptions = {}) {
    this.#options = { most, shortestPauseMs, heartbeatMs };
  }

  /** How many streams are open. */
  get open(): number {
    return [...this.#views.values()].reduce((sum, { count }) => sum + count, 0);
  }

  /** A stream, once there is something to send; throws a problem when the first look fails, or too many streams are open. */
  async watch<State>(view: LiveView<State>, form: ProblemForm): Promise<EventStream> {
    const { most, shortestPauseMs: tickMs, heartbeatMs } = this.#options;
    if (this.#isClosed || this.open >= most) throw tooMany(most, form);
    const everyMs = Math.max(view.everyMs ?? 0, tickMs);
    const key = `${everyMs} ${view.key}`;
    let shared = this.#views.get(key);
    if (shared === undefined) {
      const forget = () => void (this.#views.get(key) === shared && this.#views.delete(key));
      shared = new SharedView(view as LiveView, { everyMs, tickMs, heartbeatMs }, forget);
      this.#views.set(key, shared);
    }
    await shared.ready();
    return shared;
  }

  /** Ends all streams; there are none from now on. */
  close(): void {
    this.#isClosed = true;
    for (const view of this.#views.values()) view.close();
    this.#views.clear();
  }
}

const streamsByController = new WeakMap<object, LiveStreams>();

/** The event streams of a controller; the same for all that ask. */
export function streamsOf(controller: object): LiveStreams {
  const streams = streamsByController.get(controller) ?? new LiveStreams();
  streamsByController.set(controller, streams);
  return streams;
}

function tooMany(most: number, form: ProblemForm): BeanProblem {
  const detail = `No more than ${most} event streams can be open at once; close a live page, or try again later.`;
  return new BeanProblem(503, detail, { form, headers: { 'retry-after': '5' } });
}

/** A client. What it was sent last tells what it has to be sent next, however many states it has missed. */
interface Stream {
  readonly sink: EventSink;
  sent: unknown;
  sentAt: number;
  /** Whether it must read first what it was sent. */
  isFull: boolean;
}

interface Pauses {
  readonly everyMs: number;
  /** How often to see whether the server closes, which waits for its connections, and whether it is time for a comment. */
  readonly tickMs: number;
  readonly heartbeatMs: number;
}

/** One view and its clients. It looks while there are any. */
class SharedView implements EventStream {
  readonly #view: LiveView;
  readonly #pauses: Pauses;
  readonly #onEnd: () => void;
  readonly #streams = new Set<Stream>();
  /** The events that lead to the newest state, by the state before. */
  #events = new Map<unknown, string>();
  #state: unknown;
  /** What the last look has found: most clients need this event, and no other. */
  #change: { readonly previous: unknown; readonly event: LiveEvent } | undefined;
  #lastLook: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Clients that wait for a look. */
  #waiting = 0;
  #isClosed = false;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(view: LiveView, pauses: Pauses, onEnd: () => void) {
    this.#view = view;
    this.#pauses = pauses;
    this.#onEnd = onEnd;
  }

  get count(): number {
    return this.#streams.size + this.#waiting;
  }

  /** Waits for a look that is not old. A client that does not come after it must not keep the view. */
  async ready(): Promise<void> {
    if (performance.now() - this.#lookedAt > this.#pauses.tickMs) this.#lastLook = this.#look();
    this.#waiting += 1;
    try {
      await this.#lastLook;
    } catch (error) {
      this.close();
      throw error;
    } finally {
      this.#waiting -= 1;
    }
    this.#timer ??= this.#nextTick();
  }

  start(sink: EventSink): EventClient {
    const stream: Stream = { sink, sent: undefined, sentAt: 0, isFull: false };
    const client = {
      drained: () => {
        stream.isFull = false;
        if (this.#streams.has(stream)) this.#send(stream);
      },
      left: () => void this.#streams.delete(stream),
    };
    // Nobody else was there, and this client took long to come: it asks again.
    if (this.#isClosed) {
      sink.end();
      return client;
    }
    this.#streams.add(stream);
    this.#write(stream, `retry: ${retryMs}\n\n`);
    this.#send(stream);
    this.#timer ??= this.#nextTick();
    return client;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const { sink } of this.#streams) sink.end();
    this.#streams.clear();
    this.#onEnd();
  }

  async #again(): Promise<void> {
    const { everyMs, tickMs } = this.#pauses;
    for (const stream of this.#streams) if (stream.sink.isClosing()) this.#end(stream);
    if (this.#streams.size === 0) {
      if (this.#waiting > 0) this.#timer = this.#nextTick();
      else this.close();
      return;
    }
    try {
      // Timers are a little early now and then.
      if (performance.now() - this.#lookedAt > everyMs - tickMs / 2) await this.#look();
    } catch {
      // The clients ask again, and are told why then.
      this.close();
      return;
    }
    for (const stream of this.#streams) this.#send(stream);
    if (this.count === 0) this.close();
    else this.#timer = this.#nextTick();
  }

  #nextTick(): NodeJS.Timeout {
    return setTimeout(() => void this.#again(), this.#pauses.tickMs).unref();
  }

  async #look(): Promise<void> {
    this.#lookedAt = performance.now();
    const next = await this.#view.look();
    const event = this.#view.event(next, this.#state);
    if (event === undefined) return;
    this.#events = new Map();
    this.#change = { previous: this.#state, event };
    this.#state = next;
  }

  /** Sends the newest state unless the client has it, or still has to read what it was sent before. */
  #send(stream: Stream): void {
    if (stream.isFull) return;
    if (stream.sent !== this.#state) {
      const event = this.#eventFrom(stream.sent);
      stream.sent = this.#state;
      if (event !== '') this.#write(stream, event);
    } else if (performance.now() - stream.sentAt > this.#pauses.heartbeatMs) this.#write(stream, ':\n\n');
  }

  #eventFrom(previous: unknown): string {
    const known = this.#events.get(previous);
    if (known !== undefined) return known;
    const change = this.#change;
    const event = change?.previous === previous ? change?.event : this.#view.event(this.#state, previous);
    const text = event === undefined ? '' : formatEvent(event);
    this.#events.set(previous, text);
    return text;
  }

  #write(stream: Stream, text: string): void {
    stream.sentAt = performance.now();
    stream.isFull = !stream.sink.write(text);
  }

  #end(stream: Stream): void {
    this.#streams.delete(stream);
    stream.sink.end();
  }
}

/** Every line of the data has its own field. */
function formatEvent({ type, data }: LiveEvent): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `${type === undefined ? '' : `event: ${type}\n`}${lines.join('')}\n`;
}
