import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SmallDisk } from '../../packages/embedded-database/test-fixtures/small-disk.ts';
import { RedisServer } from '../../packages/redis-sessions/test-fixtures/redis-server.ts';
import type { MadeApplication } from '../support/make-application.ts';
import { type RunningService, startService } from '../support/start-service.ts';
import { loadOn, makeNotes, Visitor } from './database-notes.ts';

const sessionLines = (service: RunningService) =>
  service
    .output()
    .split('\n')
    .filter((line) => line.includes('the session store'))
    .map((line) => (JSON.parse(line) as { msg: string }).msg.split(/[;:]/)[0]);

async function sessionHealth(service: RunningService): Promise<string> {
  const response = await fetch(`${service.url}/health`);
  const { parts } = (await response.json()) as { parts: { sessions: { ok: boolean; state: string } } };
  return `${response.status} ${parts.sessions.state}`;
}

const becomes = (service: RunningService, wanted: string) =>
  expect.poll(() => sessionHealth(service), { timeout: 60_000, interval: 100 }).toBe(wanted);

/** What must be seen of a store that refuses writes and takes them again, while visitors come and go. */
async function refuseAndTake(service: RunningService, refuse: () => Promise<void>, take: () => Promise<void>) {
  const { visitor } = await new Visitor(service.url).note('zoneID', 'UTC');
  await becomes(service, '200 ready');
  const load = loadOn(service.url, 3);
  await refuse();
  await becomes(service, '503 refuses writes');
  expect((await visitor.note('a', 'b')).status).toBe(503);
  expect(await visitor.read()).toEqual({ status: 200, notes: { zoneID: 'UTC' } });
  const seen = new Set<string>();
  for (let count = 0; count < 25; count += 1) {
    seen.add(await sessionHealth(service));
    await sleep(200);
  }
  expect(seen).toEqual(new Set(['503 refuses writes']));
  expect(sessionLines(service)).toEqual(['the session store refuses writes']);
  await take();
  await becomes(service, '200 ready');
  expect((await visitor.note('a', 'b')).status).toBe(302);
  const { statuses, visitors } = await load.end();
  expect(statuses).toEqual(new Set([200, 302, 503]));
  for (const one of visitors) expect((await one.read()).notes).toMatchObject(one.noted);
  expect(sessionLines(service)).toEqual(['the session store refuses writes', 'the session store takes writes again']);
  expect(service.process.exitCode).toBeNull();
}

describe('sessions on a full disk', () => {
  let application: MadeApplication;
  let folder: string;
  let service: RunningService | undefined;
  let disk: SmallDisk | undefined;

  beforeAll(async () => {
    application = await makeNotes('@jig/embedded-database');
  });

  afterAll(() => application.remove());

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jig-full-'));
    await chmod(folder, 0o755);
  });

  afterEach(async () => {
    await service?.stop();
    await disk?.unmount();
    await rm(folder, { recursive: true, force: true });
  });

  /** Initialised as for good: a temporary database has so little log in store that the server itself ends when the disk is full. */
  async function start(engine: string, skip: (reason: string) => never) {
    const mounted = await SmallDisk.mount(join(folder, 'small'), 250, skip);
    disk = mounted;
    const home = join(mounted.folder, 'home');
    const started = await startService({ main: application.main, home, environment: { JIG_DATABASE_ENGINE: engine } });
    service = started;
    const fill = () => mounted.fill();
    return { service: started, fill, empty: () => mounted.empty() };
  }

  it.for(['postgresql', 'mysql'])('of %s are read, and stored again when there is space', async (engine, { skip }) => {
    const { service: started, fill, empty } = await start(engine, skip);
    await refuseAndTake(started, fill, empty);
  });
});

describe('sessions on a Redis without memory', () => {
  let application: MadeApplication;
  let redis: RedisServer;
  let service: RunningService;

  beforeAll(async () => {
    application = await makeNotes('@jig/redis-sessions');
  });

  afterAll(() => application.remove());

  beforeEach(async () => {
    redis = await RedisServer.start('--maxmemory-policy', 'noeviction');
    service = await startService({ main: application.main, environment: { REDIS_URL: redis.url } });
  });

  afterEach(async () => {
    await service.stop();
    await redis.stop();
  });

  const setMemory = async (size: string) => {
    const socket = connect(redis.port, '127.0.0.1');
    socket.end(`CONFIG SET maxmemory ${size}\r\n`);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toBe('+OK\r\n');
  };

  it('are read, and stored again when there is memory', async () => {
    await refuseAndTake(
      service,
      () => setMemory('1kb'),
      () => setMemory('0'),
    );
  });

  it('are reported as refused without a write by a visitor', async () => {
    await becomes(service, '200 ready');
    await setMemory('1kb');
    await becomes(service, '503 refuses writes');
    await setMemory('0');
    await becomes(service, '200 ready');
  });
});
