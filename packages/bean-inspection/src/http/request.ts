import type { Readable } from 'node:stream';
import { preferredMediaType, type RequestHead } from '@jig/http';
import { BeanProblem } from './problem.ts';

/** A request for one of our addresses. */
export interface InspectionRequest {
  readonly raw: RawRequest;
  /** The path and query, including the path that a framework mounts at. */
  readonly url: string;
  /** What links begin with: `/jig`, or `/jig/@web-4711` if they name an instance. */
  readonly prefix: string;
  /** The path after the prefix, such as `bean/clock.json`. */
  readonly path: string;
  /** The instance that the address names: `web-4711` of `/jig/@web-4711/bean`. */
  readonly instance?: string | undefined;
  /** The host that the client addressed, also through a trusted proxy. */
  readonly host: string;
  /** Passed to the source, which may create beans of request scope. */
  readonly context: unknown;
  /** Whether it came over the Unix socket, which only the user of this process can open. */
  readonly isOverSocket?: boolean;
}

/** A request of any server. */
export interface RawRequest extends RequestHead {
  readonly method?: string | undefined;
  /** The path and query, without the path that a framework mounts at. */
  readonly url: string;
  /** The path and query with that path. */
  readonly originalUrl: string;
  readonly host: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Whether the server is closing and waits for this connection. */
  isClosing(): boolean;
  /** The body; undefined if something has read it already. */
  unreadBody(): Readable | undefined;
  /** The result of a body parser; undefined without one. */
  parsedBody(): unknown;
}

/** Every answer names its instance in this header. */
export const instanceHeader = 'Jig-Instance';

/** On the socket: the prefix for links, which lead to the instance that forwards the request. */
export const prefixHeader = 'jig-prefix';

/** On the socket: the start page that pages link to, that of the console. */
export const startPageHeader = 'jig-start-page';

/** Whether a client prefers an event stream, as `EventSource` of browsers does. */
export function wantsStream({ headers: { accept } }: Pick<RawRequest, 'headers'>): boolean {
  if (accept?.includes('event-stream') !== true) return false;
  return preferredMediaType(accept, ['application/json', 'text/html', 'text/event-stream']) === 'text/event-stream';
}

/** In bytes. */
export const largestBody = 64 * 1024;

/** The body of a POST as text, even if a body parser of the framework has read it. */
export async function readBody({ raw }: Pick<InspectionRequest, 'raw'>): Promise<string> {
  if (Number(raw.headers['content-length'] ?? 0) > largestBody) throw tooLarge();
  const unread = raw.unreadBody();
  if (unread !== undefined) return readAll(unread);
  const parsed = raw.parsedBody();
  if (parsed === undefined) {
    const detail = 'Something before bean inspection has read the body; mount bean inspection before body parsers.';
    throw new BeanProblem(400, detail);
  }
  const text = serialize(parsed, raw.headers['content-type']);
  if (Buffer.byteLength(text) > largestBody) throw tooLarge();
  return text;
}

/** A body without a type is treated as a form. */
const fieldTypes: ReadonlySet<string> = new Set(['', 'application/json', 'application/x-www-form-urlencoded']);

/** The fields of a body: a form, or an object as JSON. */
export async function readFields(request: InspectionRequest): Promise<URLSearchParams> {
  const body = await readBody(request);
  const [mediaType = ''] = (request.raw.headers['content-type'] ?? '').toLowerCase().split(';', 1);
  if (body !== '' && !fieldTypes.has(mediaType.trim()))
    throw new BeanProblem(415, 'The body must be a form, or an object as JSON.');
  if (body === '' || mediaType.trim() !== 'application/json') return new URLSearchParams(body);
  try {
    const given: unknown = JSON.parse(body);
    if (typeof given === 'object' && given !== null)
      return new URLSearchParams(Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]));
  } catch {
    // Reported below.
  }
  throw new BeanProblem(400, 'The body must be an object as JSON, or a form.');
}

/** Uses events, since iterating over a request takes as long as the rest of a small answer. */
function readAll(body: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const read = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= largestBody) {
        chunks.push(chunk);
        return;
      }
      // The rest is read and dropped; otherwise a client that still sends would get a reset instead of the answer.
      body.off('data', read).resume();
      reject(tooLarge());
    };
    body.on('data', read);
    // The client has disconnected.
    const rejectIncomplete = () => reject(new BeanProblem(400, 'The body is incomplete.'));
    body.once('error', rejectIncomplete).once('close', rejectIncomplete);
    body.once('end', () => {
      // Every request closes in the end, and creating an error is slow.
      body.off('close', rejectIncomplete);
      resolve(Buffer.concat(chunks).toString());
    });
  });
}

/** The text of a body that a parser has parsed, or an equivalent one. */
function serialize(parsed: unknown, contentType = ''): string {
  if (typeof parsed === 'string') return parsed;
  if (Buffer.isBuffer(parsed)) return parsed.toString();
  const isForm = contentType.toLowerCase().startsWith('application/x-www-form-urlencoded');
  if (!isForm || typeof parsed !== 'object' || parsed === null) return JSON.stringify(parsed) ?? '';
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(parsed)) {
    for (const each of [value].flat()) fields.append(name, String(each));
  }
  return fields.toString();
}

function tooLarge(): BeanProblem {
  return new BeanProblem(413, `A body may have ${largestBody / 1024} KiB.`);
}
