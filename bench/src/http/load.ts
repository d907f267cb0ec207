import { connect, type Socket } from 'node:net';
import { ResponseReader } from './response-reader.ts';

export interface Load {
  readonly url: URL;
  /** Sent in turns, each on the next connection that is free. */
  readonly requests: readonly Buffer[];
  readonly count: number;
  readonly connections?: number;
  /** Any other status ends the measurement: it would not measure what it says. */
  readonly status?: number;
}

const silenceDeadline = 20_000;

/** Sends the requests over connections that are kept open, one request under way on each; gives the seconds that it took. */
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
    socket.setTimeout(silenceDeadline, () => end(`no answer within ${silenceDeadline} ms`));
    socket.on('error', (error) => end(error.message));
    socket.on('close', () => busy && end('the connection was closed before the answer came'));
    socket.on('connect', sendNext);
    socket.on('data', (chunk: Buffer) => {
      if (!reader.read(chunk)) return;
      if (reader.status !== status) return end(`answered ${reader.status}, not ${status}`);
      reader.reset();
      sendNext();
    });
  });
}
