import { readdir, readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningService, startService, withoutDatabase } from '../support/start-service.ts';

/** Where /proc tells of connections and memory. */
const isLinux = process.platform === 'linux';
let service: RunningService;

beforeAll(async () => {
  const environment = {
    ...withoutDatabase,
    JIG_SERVER_HEADERS_TIMEOUT: '1s',
    JIG_SERVER_REQUEST_TIMEOUT: '2s',
    JIG_SERVER_IDLE_TIMEOUT: '2s',
  };
  service = await startService({ environment });
});

afterAll(() => service.stop());

/** A client that misbehaves; `closed` is when the server has had enough of it. */
interface Client {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  readonly received: () => string;
}

function client(onConnect: (socket: Socket) => void): Promise<Client> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname);
    const closed = new Promise<void>((done) => socket.once('close', () => done()));
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.on('error', () => undefined);
      onConnect(socket);
      resolve({ socket, closed, received: () => received });
    });
  });
}

const clients = (count: number, onConnect: (socket: Socket) => void) =>
  Promise.all(Array.from({ length: count }, () => client(onConnect)));

/** Writes the same few bytes again and again, as slowly as a patient attacker. */
function trickle(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 250);
  socket.once('close', () => clearInterval(timer));
}

/** Others are served as if nothing were the matter. */
async function isResponsive(): Promise<void> {
  for (const path of ['/health', '/clock/time', '/jig/bean/process.json']) {
    const answer = await fetch(service.url + path, { signal: AbortSignal.timeout(20_000) });
    await answer.arrayBuffer();
    expect([path, answer.status]).toEqual([path, 200]);
  }
}

const descriptors = async () => (await readdir(`/proc/${service.pid}/fd`)).length;

async function residentMebibytes(): Promise<number> {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

const many = 100;

const kinds = [
  ['send their headers a little at a time', 'GET /clock/time HTTP/1.1\r\nHost: a\r\n', 'X-a: b\r\n'],
  ['send a header that never ends', 'GET /clock/time HTTP/1.1\r\nHost: a\r\nX: ', 'x'],
  ['never get to the end of the first line', 'GET /', 'x'],
  [
    'send their body a little at a time',
    'POST /clock/time HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 10000\r\n\r\n',
    'a',
  ],
  [
    'send chunks of one byte',
    'POST /clock/time HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n',
    '1\r\na\r\n',
  ],
  ['say nothing at all', '', ''],
  ['finish a request and then stay', 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n', ''],
] as const;

// All kinds at the same time, since each waits for the same time-outs.
describe('many clients that', () => {
  let before: number;
  const slow = new Map<string, readonly Client[]>();
  const cutOff = (all: readonly Client[]) => Promise.all(all.map(({ closed }) => closed));

  beforeAll(async () => {
    if (isLinux) before = await descriptors();
    for (const [kind, start, more] of kinds) {
      const all = await clients(many, (socket) => {
        if (start !== '') socket.write(start);
        if (more !== '') trickle(socket, more);
      });
      slow.set(kind, all);
      await isResponsive();
    }
  });

  it.each(kinds)('%s are cut off', async (kind) => {
    const all = slow.get(kind) ?? [];
    expect(all).toHaveLength(many);
    await cutOff(all);
    for (const { received } of all) expect(received()).toMatch(/^$|^HTTP\/1\.1 (?:200|408) /);
  });

  it.runIf(isLinux)('are slow keep nobody else waiting, and leave nothing behind', async () => {
    await isResponsive();
    await cutOff([...slow.values()].flat());
    await isResponsive();
    await expect.poll(descriptors, { timeout: 10_000 }).toBeLessThan(before + 20);
  });
});

describe.runIf(isLinux)('many clients that', () => {
  it('do not read their answers are cut off, and cost little memory', async () => {
    await isResponsive();
    const before = await residentMebibytes();
    const page = 'GET /clock/time HTTP/1.1\r\nHost: a\r\n\r\n';
    const deaf = await clients(50, (socket) => {
      socket.pause();
      // 60 pages each would be 400 MB.
      socket.write(page.repeat(60));
    });
    await isResponsive();
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect(await residentMebibytes()).toBeLessThan(before + 120);
    // One who never reads does not notice the end either, so the server is asked.
    await expect.poll(async () => (await descriptors()) < 100, { timeout: 20_000 }).toBe(true);
    for (const { socket } of deaf) socket.destroy();
    await isResponsive();
  });

  it('hold a thousand idle connections open do not keep others out', async () => {
    const idle = await clients(1000, (socket) => void socket.write('GET /health HTTP/1.1\r\nHost: a\r\n\r\n'));
    await isResponsive();
    for (const { socket } of idle) socket.destroy();
    await expect.poll(descriptors, { timeout: 10_000 }).toBeLessThan(200);
    await isResponsive();
  });

  it('go away in the middle leave nothing behind', async () => {
    const before = await descriptors();
    for (let round = 0; round < 5; round += 1) {
      const leaving = await clients(many, (socket) => {
        socket.write('GET /jig/bean/zones.json HTTP/1.1\r\nHost: a\r\n\r\n');
        setTimeout(() => socket.resetAndDestroy(), round * 5);
      });
      await Promise.all(leaving.map(({ closed }) => closed));
    }
    await expect.poll(descriptors, { timeout: 10_000 }).toBeLessThan(before + 20);
    await isResponsive();
    expect(service.output()).not.toMatch(/"level":(?:50|60)/);
  });
});
