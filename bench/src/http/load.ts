import { connect, type Socket } from 'node:net';

export interface PlannedRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
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

/** Sends the requests over keep-alive connections, one request at a time on each. Gives the seconds that it took. */
export async function sendLoad({ url, requests, count, connections = 16, status = 200 }: Load): Promise<number> {
  let started = 0;
  const next = (): Buffer | undefined => {
    const request = started < count ? requests[started % requests.length] : undefined;
    started += 1;
    return request;
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, () => runConnection(url, status, next)));
  return (performance.now() - start) / 1000;
}

function runConnection(url: URL, status: number, next: () => Buffer | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    const reader = new ResponseReader();
    let busy = false;
    const end = (problem?: string) => {
      socket.destroy();
      if (problem === undefined) resolve();
      else reject(new Error(`${url.host}: ${problem}`));
    };
    const sendNext = () => {
      const request = next();
      busy = request !== undefined;
      if (request === undefined) end();
      else socket.write(request);
    };
    socket.setTimeout(responseTimeout, () => end(`no response within ${responseTimeout} ms`));
    socket.on('error', (error) => end(error.message));
    socket.on('close', () => busy && end('the connection was closed before the response was complete'));
    socket.on('connect', sendNext);
    socket.on('data', (chunk: Buffer) => {
      if (!reader.read(chunk)) return;
      if (reader.status !== status) return end(`answered ${reader.status}, not ${status}`);
      reader.reset();
      sendNext();
    });
  });
}

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');

/** Finds the end of a response on a connection that has one request at a time, parsing as little as possible. */
class ResponseReader {
  status = 0;
  #head: Buffer | undefined;
  #missing = 0;
  #tail: Buffer | undefined;
  #inBody = false;

  /** Whether this chunk completes the response. */
  read(chunk: Buffer): boolean {
    if (this.#inBody) return this.#readBody(chunk);
    const seen = this.#head === undefined ? chunk : Buffer.concat([this.#head, chunk]);
    const end = seen.indexOf(headEnd);
    if (end === -1) {
      this.#head = seen;
      return false;
    }
    this.#begin(seen.toString('latin1', 0, end));
    return this.#readBody(seen.subarray(end + headEnd.length));
  }

  reset(): void {
    this.#head = undefined;
    this.#tail = undefined;
    this.#inBody = false;
    this.#missing = 0;
  }

  #begin(head: string): void {
    this.status = Number(head.slice(9, 12));
    this.#inBody = true;
    if (/\r\ntransfer-encoding: *chunked/i.test(head)) this.#tail = Buffer.alloc(0);
    else if (this.status !== 304 && this.status !== 204) {
      this.#missing = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    }
  }

  #readBody(chunk: Buffer): boolean {
    if (this.#tail === undefined) {
      this.#missing -= chunk.length;
      return this.#missing <= 0;
    }
    // The last five bytes are enough: no text that we send contains the bytes of a last chunk.
    const tail = chunk.length >= lastChunk.length ? chunk : Buffer.concat([this.#tail, chunk]);
    this.#tail = tail.subarray(-lastChunk.length);
    return this.#tail.equals(lastChunk);
  }
}
