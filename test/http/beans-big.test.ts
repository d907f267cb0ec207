import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MadeApplication, makeApplication } from '../support/make-application.ts';
import { type RunningService, startService } from '../support/start-service.ts';

/** Entries take time and bytes do not, so their texts are long: a slow machine must write each document within the budget of 30 s. */
const ENTRIES = 30_000;
const NAME_LENGTH = 1200;
/** In MiB; each document is several times as long. */
const MEMORY_BOUND = 8;

const features = `[{
  name: 'big',
  register(host) {
    const shared = Array.from({ length: 1000 }, (_, number) => ({ expiration: 1577185199000 + number, name: ('device ' + number).padEnd(${NAME_LENGTH}, '.'), params: {}, entity: null }));
    const items = Array.from({ length: ${ENTRIES} }, (_, index) => shared[index % 1000]);
    const map = new Map(items.map((item, index) => ['uuid:' + index, item]));
    host.define('bigMap', { type: 'Map', create: () => map });
    host.routes(async (server) => {
      server.get('/held', async () => {
        // Buffers that the first one finds unused are freed by the second one.
        gc();
        gc();
        const { heapUsed, external } = process.memoryUsage();
        return { bytes: heapUsed + external };
      });
    });
  },
}]`;

let application: MadeApplication;
let service: RunningService;

beforeAll(async () => {
  application = await makeApplication({ dependencies: ['@jig/bean-inspection'], features });
  service = await startService({
    main: application.main,
    workingDirectory: application.folder,
    nodeFlags: ['--expose-gc'],
  });
});

afterAll(async () => {
  await service.stop();
  await application.remove();
});

/** What is in use, in MiB: how much garbage there is meanwhile is up to V8. */
const memory = async () => ((await (await fetch(`${service.url}/held`)).json()) as { bytes: number }).bytes / 2 ** 20;
const connections = async () =>
  ((await (await fetch(`${service.url}/jig/bean/server.json`)).json()) as { connections: number }).connections;

const SLOW_CLIENTS = 8;

/** So that what is asked meanwhile does not depend on how long the document takes. */
const BYTES_PER_STEP = 2_000_000;

/** Counts rather than keeps, since the document is larger than what a test should hold. */
async function countIn(path: string, mark: number, onStep: () => void = () => {}) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(service.url + path, resolve).on('error', reject);
  });
  let size = 0;
  let marks = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    const steps = Math.floor(size / BYTES_PER_STEP);
    size += chunk.length;
    if (Math.floor(size / BYTES_PER_STEP) > steps) onStep();
    for (let at = chunk.indexOf(mark); at >= 0; at = chunk.indexOf(mark, at + 1)) marks++;
  }
  return { size, marks };
}

describe('a bean of 30,000 entries', () => {
  it.each([
    ['bigMap.json', 0x7b, 2 * ENTRIES + 1],
    ['bigMap.xml', 0x3c, 8 * ENTRIES + 2],
  ])('%s is sent completely while other requests are served and memory stays bounded', async (name, mark, marks) => {
    await countIn(`/jig/bean/${name}?limit=5000`, mark);
    const idle = await memory();
    const statuses: number[] = [];
    let peak = 0;
    const askOther = async () => {
      statuses.push((await fetch(`${service.url}/health`)).status);
      peak = Math.max(peak, await memory());
    };
    let others = Promise.resolve();
    const counted = await countIn(`/jig/bean/${name}`, mark, () => {
      others = others.then(askOther);
    });
    await others;
    expect(counted.size).toBeGreaterThan(4 * MEMORY_BOUND * 2 ** 20);
    expect(counted.marks).toBe(marks);
    expect(statuses.length).toBeGreaterThan(5);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(peak - idle).toBeLessThan(MEMORY_BOUND);
  });

  it('uses no more memory for slow clients, and is released when they disconnect', async () => {
    // A process that has written nothing yet would grow by its first documents, whoever reads them.
    await countIn('/jig/bean/bigMap.json', 0x7b);
    const idle = await memory();
    const { hostname, port, host } = new URL(service.url);
    const readers: Socket[] = Array.from({ length: SLOW_CLIENTS }, () => connect(Number(port), hostname));
    for (const reader of readers) {
      reader.on('error', () => undefined);
      reader.write(`GET /jig/bean/bigMap.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      reader.once('data', () => reader.pause());
    }
    try {
      await expect.poll(connections).toBeGreaterThanOrEqual(SLOW_CLIENTS);
      for (let round = 0; round < 20; round++) expect((await fetch(`${service.url}/health`)).status).toBe(200);
      expect((await memory()) - idle).toBeLessThan(MEMORY_BOUND);
    } finally {
      for (const reader of readers) reader.destroy();
    }
    await expect.poll(connections).toBeLessThan(5);
    expect(await countIn('/jig/bean/bigMap.json?limit=1000', 0x7b)).toMatchObject({ marks: 2 * 1000 + 1 });
  });
});
