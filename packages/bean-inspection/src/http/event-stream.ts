import { preferredMediaType } from '@jig/http';
import type { RawRequest } from './inspection-request.ts';

/** Whether a client prefers an event stream, as `EventSource` of browsers does. */
export function wantsStream({ headers: { accept } }: Pick<RawRequest, 'headers'>): boolean {
  if (accept?.includes('event-stream') !== true) return false;
  return preferredMediaType(accept, ['application/json', 'text/html', 'text/event-stream']) === 'text/event-stream';
}

/** An event stream (HTML, section 9.2) that is ready to be written. */
export interface EventStream {
  /** Writes events until the client leaves or the application closes; the server tells the result what the client does. */
  start(sink: EventSink): EventClient;
}

/** Where events are written to, in the way of a server. */
export interface EventSink {
  /** False when the client must read first what it was sent. */
  write(text: string): boolean;
  end(): void;
  /** Whether the server takes no more connections, and waits for this one to end. */
  isClosing(): boolean;
}

export interface EventClient {
  /** It has read what it was sent. */
  readonly drained: () => void;
  readonly left: () => void;
}

/** Something that a client watches. Streams of the same key share each look and each state. */
export interface LiveView<State = unknown> {
  /** The same for all that show the same: the bean, the part, the options and the form. */
  readonly key: string;
  /** How often to look, in milliseconds; 1,000 by default, and at least. */
  readonly everyMs?: number;
  /** What there is to see now. An error ends the stream. */
  look(): State | Promise<State>;
  /**
   * The event that takes a client from one state to the next; undefined where nothing differs. A client that reads
   * slowly skips states, so `previous` is the one that it was sent last; undefined at first.
   */
  event(next: State, previous: State | undefined): LiveEvent | undefined;
}

export interface LiveEvent {
  /** The type of the event; `message` where there is none. */
  readonly type?: string;
  readonly data: string;
}
