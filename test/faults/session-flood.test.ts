import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningService, startService, withoutDatabase } from '../support/start-service.ts';

const cap = 2000;
const batch = 100;

let service: RunningService;

beforeAll(async () => {
  service = await startService({ environment: withoutDatabase, flags: [`--sessions.maximumInMemory=${cap}`] });
});

afterAll(() => service.stop());

/** Sends forms without a cookie over one connection, many at a time, and counts the redirects. */
function flood(requests: number): Promise<number> {
  const { host, hostname, port } = new URL(service.url);
  const form = `POST /clock/time HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 19\r\n\r\nlanguageTag=de-AT&a`;
  return new Promise((resolve, reject) => {
    let redirects = 0;
    let rest = '';
    const socket = connect(Number(port), hostname, () => socket.write(form.repeat(batch)));
    socket.setEncoding('latin1');
    socket.setTimeout(60_000, () => reject(new Error(`no answer after ${redirects} redirects`)));
    socket.on('error', reject);
    socket.on('data', (text: string) => {
      const before = redirects;
      const heads = (rest + text).split('HTTP/1.1 ');
      rest = `HTTP/1.1 ${heads.pop()}`;
      redirects += heads.filter((head) => head.startsWith('302 ')).length;
      const lastIsWhole = rest.endsWith('\r\n\r\n');
      if (lastIsWhole && rest.startsWith('HTTP/1.1 302 ')) {
        redirects++;
        rest = '';
      }
      if (redirects >= requests) {
        socket.destroy();
        resolve(redirects);
      } else if (Math.floor(redirects / batch) > Math.floor(before / batch)) socket.write(form.repeat(batch));
    });
  });
}

interface Memory {
  readonly rss: number;
}

const bean = async (path: string) => (await fetch(`${service.url}/jig/bean/${path}`)).json() as Promise<unknown>;

describe('100,000 forms without a cookie', () => {
  // Half a minute of computing, of which a busy machine gives it little.
  it('do not exceed the bounds of the memory store, nor grow the process', async () => {
    const half = () => Promise.all([flood(25_000), flood(25_000)]);
    await half();
    const { rss: before } = (await bean('process.json?at=/memory')) as Memory;
    await half();
    const { rss: after } = (await bean('process.json?at=/memory')) as Memory;
    expect(await bean('sessions.json?at=/live')).toBeLessThanOrEqual(cap);
    expect(await bean('sessions.json?at=/counters/created')).toBeGreaterThanOrEqual(100_000);
    expect(after - before).toBeLessThan(64 * 1024 * 1024);
    expect((await fetch(`${service.url}/clock/time`)).status).toBe(200);
  });
});
