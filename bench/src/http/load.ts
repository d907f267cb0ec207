import { connect } from 'node:net';

export interface PlannedRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A form, with the cookie of a session if there is one. */
export function posted(path: string, body: string, headers: PlannedRequest['headers'] = {}): PlannedRequest {
  return { method: 'POST', path, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers }, body };
}

export interface Load {
  readonly url: URL;
  /** Sent in turns, each on the next connection that is free. */
  readonly requests: readonly Buffer[];
  readonly count: number;
  /** Default: 16. */
  readonly connections?: number;
  /** The expected status; any other fails the measurement. Default: 200. */
  readonly status?: number;
}

const responseTimeout = 20_000;

/** A request as it is sent over the socket. */
export function requestBytes({ method = 'GET', path, headers = {}, body = '' }: PlannedRequest): Buffer {
  const all: Record<string, string> = { host: 'localhost', ...headers };
  if (body !== '') all['content-length'] = String(Buffer.byteLength(body));
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/** Sends the requests over keep-alive connections, one request at a time on each. */
export async function sendLoad({ url, requests, count, connections = 16, status = 200 }: Load): Promise<void> {
  let started = 0;
  const next = () => (started < count ? requests[started++ % requests.length] : undefined);
  await Promise.all(Array.from({ length: connections }, () => runConnection(url, status, next)));
}

function runConnection(url: URL, status: number, next: () => Buffer | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    const read = responseReader();
    const end = (problem?: string) => {
      socket.destroy();
      if (problem === undefined) resolve();
      else reject(new Error(`${url.host}: ${problem}`));
    };
    const sendNext = () => {
      const request = next();
      if (request === undefined) end();
      else socket.write(request);
    };
    socket.setTimeout(responseTimeout, () => end(`no response within ${responseTimeout} ms`));
    socket.on('error', (error) => end(error.message));
    socket.on('close', () => end('the connection was closed before the response was complete'));
    socket.on('connect', sendNext);
    socket.on('data', (chunk: Buffer) => {
      const answered = read(chunk);
      if (answered === status) sendNext();
      else if (answered !== undefined) end(`answered ${answered}, not ${status}`);
    });
  });
}

const none: Buffer = Buffer.alloc(0);
/** The last chunk, and a trailer. */
const lastChunk = /(?:^|\n)0\r\n(?:[^\r\n]+\r\n)*\r\n$/;
const maxLastChunk = 64;

/** Gives the status with the chunk that completes a response, one response after the other, and parses as little as possible. */
function responseReader(): (chunk: Buffer) => number | undefined {
  let status = 0;
  let missing = 0;
  // All of it until the head is complete, then the end of it: no text that we send contains the bytes of a last chunk.
  let seen = none;
  return (chunk) => {
    seen = seen.length === 0 || (status > 0 && chunk.length >= maxLastChunk) ? chunk : Buffer.concat([seen, chunk]);
    if (status > 0) missing -= chunk.length;
    else {
      const end = seen.indexOf('\r\n\r\n') + 4;
      if (end < 4) return undefined;
      const head = seen.toString('latin1', 0, end);
      seen = seen.subarray(end);
      status = Number(head.slice(9, 12));
      const length = status === 304 ? 0 : Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      missing = /\r\ntransfer-encoding: *chunked/i.test(head) ? Number.POSITIVE_INFINITY : length - seen.length;
    }
    seen = seen.subarray(-maxLastChunk);
    const isLast = missing === Number.POSITIVE_INFINITY && lastChunk.test(seen.toString('latin1'));
    if (missing > 0 && !isLast) return undefined;
    const answered = status;
    [status, seen] = [0, none];
    return answered;
  };
}
