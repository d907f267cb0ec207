import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SmallDisk } from '../../packages/embedded-database/test-fixtures/small-disk.ts';
import { RedisServer } from '../../packages/redis-sessions/test-fixtures/redis-server.ts';
import { type InProcessService, startInProcess } from '../support/in-process.ts';
import type { MadeApplication } from '../support/make-application.ts';
import { makeNotes, Visitor } from './database-notes.ts';
import { MeasuredLoad } from './measured-load.ts';

const sessionLines = (service: InProcessService) =>
  service
    .output()
    .split('\n')
    .filter((line) => line.includes('the session store'))
    .map((line) => (JSON.parse(line) as { msg: string }).msg.split(/[;:]/)[0]);

async function sessionHealth(service: InProcessService): Promise<string> {
  const response = await fetch(`${service.url}/health`);
  const { parts } = (await response.json()) as { parts: { sessions: { ok: boolean; state: string } } };
  return `${response.status} ${parts.sessions.state}`;
}

const becomes = (service: InProcessService, wanted: string) =>
  vi.waitFor(async () => expect(await sessionHealth(service)).toBe(wanted), { timeout: 300_000, interval: 200 });

/** A machine that is busy with other things must not make a store look unavailable that refuses writes. */
const patient = (part: 'DATABASE' | 'REDIS') => ({
  JIG_SESSIONS_STORE_DEADLINE: '20s',
  [`JIG_${part}_CONNECT_TIMEOUT`]: '20s',
  [part === 'REDIS' ? 'JIG_REDIS_COMMAND_TIMEOUT' : 'JIG_DATABASE_SESSION_QUERY_TIMEOUT']: '20s',
});

/** What must be seen of a store that refuses writes and takes them again, while visitors come and go. */
async function refuseAndTake(service: InProcessService, refuse: () => Promise<void>, take: () => Promise<void>) {
  const { visitor } = await new Visitor(service.url).note('zoneID', 'UTC');
  await becomes(service, '200 ready');
  const load = new MeasuredLoad([service.url], 3, 400);
  await load.goesOn(1);
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
  const { refused, unexpected, lost } = await load.end();
  expect({ unexpected, lost }).toEqual({ unexpected: [], lost: 0 });
  expect(refused).toBeGreaterThan(0);
  expect(sessionLines(service)).toEqual(['the session store refuses writes', 'the session store takes writes again']);
}

/** A database has room for many small sessions in the files that it has already. */
async function fillFiles({ url }: InProcessService): Promise<void> {
  let status = 302;
  while (status === 302) ({ status } = await new Visitor(url).note('long', randomBytes(4000).toString('hex')));
  expect(status).toBe(503);
}

/** All in this process, where the end of a process would end the tests; they mostly wait, so they do so side by side. */
describe.concurrent('sessions on a full disk', () => {
  let application: MadeApplication;

  beforeAll(async () => {
    application = await makeNotes('@jig/embedded-database');
  });

  afterAll(() => application.remove());

  it('are read, and stored again when there is space', async ({ skip }) => {
    const folder = await mkdtemp(join(tmpdir(), 'jig-full-'));
    await chmod(folder, 0o755);
    const disk = await SmallDisk.mount(join(folder, 'small'), 250, skip);
    try {
      // Initialised as for good: a temporary database has so little log in store that the server itself ends when the disk is full.
      const home = join(disk.folder, 'home');
      const environment = patient('DATABASE');
      const service = await startInProcess({ main: application.main, home, environment });
      try {
        await refuseAndTake(
          service,
          async () => {
            await disk.fill();
            await fillFiles(service);
          },
          () => disk.empty(),
        );
      } finally {
        await service.stop();
      }
    } finally {
      await disk.unmount();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe.concurrent('sessions on a Redis without memory', () => {
  let application: MadeApplication;

  beforeAll(async () => {
    application = await makeNotes('@jig/redis-sessions');
  });

  afterAll(() => application.remove());

  it('are read, and stored again when there is memory', async () => {
    const redis = await RedisServer.start('--maxmemory-policy', 'noeviction');
    try {
      const service = await startInProcess({
        main: application.main,
        environment: { ...patient('REDIS'), REDIS_URL: redis.url },
      });
      const setMemory = async (size: string) => {
        expect(await redis.commands(['CONFIG', 'SET', 'maxmemory', size])).toEqual(['OK']);
      };
      try {
        await refuseAndTake(
          service,
          () => setMemory('1kb'),
          () => setMemory('0'),
        );
      } finally {
        await service.stop();
      }
    } finally {
      await redis.stop();
    }
  });
});
