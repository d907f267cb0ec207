import { execFile, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataLock, removeLockDrafts } from './data-lock.ts';
import { identify } from './process-identity.ts';

describe('the lock on a data folder', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jig-lock-'));
    path = join(folder, 'lock');
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function changed(change: object): Promise<string> {
    const lock = await DataLock.acquire(path);
    const holder = JSON.parse(await readFile(path, 'utf8')) as object;
    await lock.release();
    return JSON.stringify({ ...holder, ...change });
  }

  it('is held by one at a time, and says by whom', async () => {
    const lock = await DataLock.acquire(path);
    await expect(DataLock.acquire(path)).rejects.toMatchObject({
      code: 'JIG_DATABASE_FOLDER_HELD',
      pid: process.pid,
      folder,
      message: expect.stringContaining(`${folder} is in use by the process ${process.pid}`),
    });
    await lock.release();
    await lock.release();
    await (await DataLock.acquire(path)).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('goes to exactly one of many concurrent callers, even over the lock of a dead process', async () => {
    await writeFile(path, await changed({ pid: 2 ** 22, startTime: '1' }));
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => DataLock.acquire(path)));
    const winners = results.filter((result) => result.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    await Promise.all(winners.map(({ value }) => value.release()));
    expect(await readdir(folder)).toEqual([]);
  });

  it('goes to exactly one also where each step on the disk takes a while', async () => {
    const dead = await changed({ pid: 2 ** 22, startTime: '1' });
    const script = `
      import fs from 'node:fs/promises';
      import { syncBuiltinESMExports } from 'node:module';
      import { setTimeout as sleep } from 'node:timers/promises';
      const pause = () => sleep(Math.random() * 30);
      const write = fs.writeFile;
      for (const name of ['link', 'readFile', 'rename', 'unlink', 'writeFile']) {
        const step = fs[name];
        fs[name] = (...args) => pause().then(() => step(...args).finally(pause));
      }
      syncBuiltinESMExports();
      const { DataLock } = await import(${JSON.stringify(new URL('data-lock.ts', import.meta.url).href)});
      const winners = await Promise.all(Array.from({ length: 40 }, async (_, index) => {
        const path = ${JSON.stringify(folder)} + '/' + index + '.lock';
        await write(path, ${JSON.stringify(dead)});
        const results = await Promise.allSettled(Array.from({ length: 8 }, () => DataLock.acquire(path)));
        const won = results.filter(({ status }) => status === 'fulfilled');
        await Promise.all(won.map(({ value }) => value.release()));
        return won.length;
      }));
      console.log(JSON.stringify([...new Set(winners)]));`;
    const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(JSON.parse(stdout)).toEqual([1]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is taken over although a process was killed while it took it over', async () => {
    const dead = await changed({ pid: 2 ** 22, startTime: '1' });
    const killed = await changed({ pid: 2 ** 22, startTime: '2' });
    const claim = createHash('sha256').update(`${path}\n${dead}`).digest('hex').slice(0, 32);
    await writeFile(path, dead);
    await writeFile(`${path}.claim-${claim}`, killed);
    await (await DataLock.acquire(path)).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(['', '{', 'null', '[]', '1234\n', '{"pid":"1"}'])('takes over a lock file that says %j', async (content) => {
    await writeFile(path, content);
    await (await DataLock.acquire(path)).release();
  });

  it('takes over from a process that is gone', async () => {
    const child = spawn('true');
    await once(child, 'exit');
    await writeFile(path, await changed({ pid: child.pid, startTime: '12345' }));
    await (await DataLock.acquire(path)).release();
  });

  it('takes over from a process whose pid another one has now', async () => {
    const stranger = spawn('sleep', ['60']);
    await once(stranger, 'spawn');
    await writeFile(path, await changed({ pid: stranger.pid, startTime: '1' }));
    await (await DataLock.acquire(path)).release();
    expect(await identify(stranger.pid ?? 0)).toBeDefined();
    stranger.kill('SIGKILL');
  });

  it('takes over what was left before the machine restarted', async () => {
    await writeFile(path, await changed({ boot: 'an earlier one', host: hostname() }));
    await (await DataLock.acquire(path)).release();
  });

  it('waits for the heartbeat of a holder in another container, and takes over when there is none', async () => {
    const lock = await DataLock.acquire(path);
    const elsewhere = JSON.stringify({ ...(JSON.parse(await readFile(path, 'utf8')) as object), namespace: 'pid:[1]' });
    await writeFile(path, elsewhere);
    await expect(DataLock.acquire(path)).rejects.toMatchObject({ code: 'JIG_DATABASE_FOLDER_HELD' });
    await lock.release();
    await (await DataLock.acquire(path)).release();
  }, 30_000);

  it('leaves no draft behind once somebody looks for those of killed processes', async () => {
    const draft = () => `${path}.${randomUUID()}`;
    const [complete, empty, living] = [draft(), draft(), draft()];
    const claim = `${path}.claim-${'0'.repeat(32)}`;
    await writeFile(claim, await changed({ pid: 2 ** 22, startTime: '1' }));
    await writeFile(`${claim}.${randomUUID()}`, '');
    await writeFile(complete, await changed({ pid: 2 ** 22, startTime: '1' }));
    await writeFile(empty, '');
    await writeFile(living, await changed({}));
    await removeLockDrafts(folder);
    expect(await readdir(folder)).toEqual([basename(living)]);
  });

  it('is acquired even when its draft is taken for one of a killed process', async () => {
    let removed = 0;
    const remove = async (entry: string) => {
      if (entry !== 'lock')
        await unlink(join(folder, entry)).then(
          () => removed++,
          () => {},
        );
    };
    const removeAll = async () => {
      while (removed < 3) await Promise.all((await readdir(folder)).map(remove));
    };
    const acquireAgain = async () => {
      while (removed < 3) await (await DataLock.acquire(path)).release();
    };
    await Promise.all([acquireAgain(), removeAll()]);
    expect(await readdir(folder)).toEqual([]);
  });
});
