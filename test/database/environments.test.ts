import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SmallDisk } from '../../packages/embedded-database/test-fixtures/small-disk.ts';
import { testTemplate } from '../../packages/embedded-database/test-fixtures/temporary-server.ts';
import { othersCanRun } from '../support/other-users.ts';
import { copyTemplate } from './temporary-folder.ts';

const fixture = fileURLToPath(new URL('fixtures/ask-once.mjs', import.meta.url));
const isRoot = process.getuid?.() === 0;
/** A user that is neither root nor the one that runs servers under root. */
const otherUser = 1;

interface Answer {
  readonly answer?: number;
  readonly folder?: string;
  readonly code?: string;
  readonly message?: string;
}

async function askOnce(options: { TMPDIR: string; cwd?: string; uid?: number }): Promise<Answer> {
  const { TMPDIR, cwd = '/', ...user } = options;
  const settings = { cwd, env: { PATH: process.env.PATH, TMPDIR }, ...user, ...(user.uid ? { gid: user.uid } : {}) };
  const { stdout } = await promisify(execFile)(process.execPath, [fixture], settings);
  return JSON.parse(stdout) as Answer;
}

describe.concurrent('a temporary database', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jig-environments-'));
    await chmod(folder, 0o755);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function temporaryFolder(name: string, owner?: number): Promise<string> {
    const path = join(folder, name);
    await mkdir(path, { recursive: true });
    if (owner !== undefined) await chown(path, owner, owner);
    return path;
  }

  it('runs in a long TMPDIR with spaces and umlauts', async () => {
    const TMPDIR = await temporaryFolder(`Prüfung der Größe ${'long-'.repeat(20)}`);
    const { answer, folder: used } = await askOnce({ TMPDIR });
    expect(answer).toBe(42);
    expect(used?.startsWith(TMPDIR)).toBe(true);
    expect(await readdir(join(TMPDIR, `jig-databases-${process.getuid?.()}`))).toEqual(['templates']);
  });

  it('starts in ten processes at the same time, with one template', async () => {
    const TMPDIR = await temporaryFolder('ten');
    const answers = await Promise.all(Array.from({ length: 10 }, () => askOnce({ TMPDIR })));
    expect(answers.map(({ answer }) => answer)).toEqual(Array(10).fill(42));
    const root = join(TMPDIR, `jig-databases-${process.getuid?.()}`);
    expect(await readdir(root)).toEqual(['templates']);
    expect(await readdir(join(root, 'templates'))).toHaveLength(1);
  });

  it.runIf(isRoot)('runs as root in a TMPDIR that only root may enter', async () => {
    const TMPDIR = await temporaryFolder('closed');
    await chmod(TMPDIR, 0o700);
    expect(await askOnce({ TMPDIR })).toMatchObject({ answer: 42 });
  });

  it.runIf(othersCanRun)('runs as another user, in a project folder that it may not write to', async () => {
    // The temporary folder of the tests may be closed to that user.
    const TMPDIR = await mkdtemp('/var/tmp/jig-other-');
    await chown(TMPDIR, otherUser, otherUser);
    const cwd = await mkdtemp('/var/tmp/jig-project-');
    await chmod(cwd, 0o555);
    expect(await askOnce({ TMPDIR, cwd, uid: otherUser })).toMatchObject({ answer: 42 });
    expect(await readdir(cwd)).toEqual([]);
    for (const made of [TMPDIR, cwd]) await rm(made, { recursive: true });
  });

  it.runIf(isRoot)('rejects a folder of another user', async () => {
    const TMPDIR = await temporaryFolder('taken');
    const root = await temporaryFolder(`taken/jig-databases-${process.getuid?.()}`, otherUser);
    const { code, message } = await askOnce({ TMPDIR });
    expect(code).toBe('JIG_DATABASE_FOLDER_UNUSABLE');
    expect(message).toContain(root);
  });

  it('rejects a link to another folder', async () => {
    const TMPDIR = await temporaryFolder('linked');
    const root = join(TMPDIR, `jig-databases-${process.getuid?.()}`);
    await symlink(await temporaryFolder('elsewhere'), root);
    const { code, message } = await askOnce({ TMPDIR });
    expect(code).toBe('JIG_DATABASE_FOLDER_UNUSABLE');
    expect(message).toContain(root);
  });

  it('reports a full disk, and leaves nothing', async ({ skip }) => {
    const disk = await SmallDisk.mount(join(folder, 'small'), 20, skip);
    try {
      const { code, message } = await askOnce({ TMPDIR: disk.folder });
      expect(code).toBe('JIG_DATABASE_DISK_FULL');
      expect(message).toContain('free some space');
      expect(await readdir(join(disk.folder, `jig-databases-${process.getuid?.()}`))).toEqual(['templates']);
    } finally {
      await disk.unmount();
    }
  });

  it.runIf(isRoot)('reports that no port is free', async () => {
    const TMPDIR = await temporaryFolder('no-port');
    await copyTemplate(dirname((await testTemplate()).passwordFile), TMPDIR);
    const script = `ip link set lo up; echo 40000 40000 > /proc/sys/net/ipv4/ip_local_port_range
"$1" -e 'require("net").createServer().listen(40000, "127.0.0.1"); setTimeout(() => process.exit(), 20000)' & taken=$!
sleep 1; "$1" "$2"; kill $taken`;
    const args = ['--net', 'sh', '-c', script, 'sh', process.execPath, fixture];
    const { stdout } = await promisify(execFile)('unshare', args, { env: { PATH: process.env.PATH, TMPDIR } });
    expect(JSON.parse(stdout)).toMatchObject({ code: 'JIG_DATABASE_PORT_TAKEN' });
    expect(stdout).toContain('No port is free on the loopback address');
  });
});
