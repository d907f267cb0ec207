import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Announced, type AnnounceOptions, announce, announcements } from './announcement.ts';
import { ask } from './proxy.ts';

const options: AnnounceOptions = {
  application: 'shop',
  prefix: '/jig',
  handler: (_request, response) => void response.end('here'),
};

describe.sequential('announce', () => {
  const before = { ...process.env };
  let runtime = '';
  let open: Announced[] = [];
  const announced = (changes: Partial<AnnounceOptions> = {}) => {
    const made = announce({ ...options, ...changes });
    open.push(made);
    return made;
  };
  const folder = () => join(runtime, 'jig');

  beforeEach(() => {
    runtime = mkdtempSync(join(tmpdir(), 'jig-test-'));
    process.env.XDG_RUNTIME_DIR = runtime;
    // The second choice, which must not be the user's own.
    process.env.TMPDIR = join(runtime, 'tmp');
    mkdirSync(process.env.TMPDIR);
  });

  afterEach(async () => {
    for (const each of open) each.close();
    open = [];
    for (const name of ['XDG_RUNTIME_DIR', 'TMPDIR']) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
    await rm(runtime, { recursive: true });
  });

  it('creates a file and a socket that only their owner can use, and removes both', async () => {
    const { announcement, close } = announced({ id: 'one', label: 'pid 1' });
    expect(announcement).toMatchObject({
      version: 1,
      id: 'one',
      label: 'pid 1',
      pid: process.pid,
      thread: 0,
      mount: 1,
    });
    expect(announcement).toMatchObject({ application: 'shop', folder: process.cwd(), prefix: '/jig', addresses: [] });
    const modes = [folder(), announcement.socket, announcement.socket.replace('.sock', '.json')];
    expect(modes.map((path) => lstatSync(path).mode & 0o777)).toEqual([0o700, 0o600, 0o600]);
    expect(await announcements()).toEqual([announcement]);
    const answer = await ask({ socket: announcement.socket, path: '/jig/bean', headers: {} });
    expect((await answer.toArray()).join('')).toBe('here');
    close();
    expect(readdirSync(folder())).toEqual([]);
  });

  it('numbers the mounts of a process, and stops after twenty', () => {
    const mounts = Array.from({ length: 20 }, () => announced().announcement.mount);
    expect(mounts).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(() => announced()).toThrow('20 mounts');
  });

  it('gets its own number in each copy of the package, and removes only its own files', async () => {
    const { announcement: first } = announced();
    vi.resetModules();
    const copy = await import('./announcement.ts');
    const { announcement: second, close } = copy.announce({ prefix: '/jig', handler: () => {} });
    const attached = copy.announce({ prefix: '/jig', attached: true, handler: () => {} });
    expect([first.mount, second.mount, attached.announcement.mount]).toEqual([1, 2, 1]);
    expect((await announcements()).map(({ socket }) => socket).sort()).toEqual(
      [first, second, attached.announcement].map(({ socket }) => socket).sort(),
    );
    close();
    attached.close();
    expect(readdirSync(folder())).toHaveLength(2);
    expect(await announcements()).toEqual([first]);
  });

  it.each([
    ['a link', () => symlinkSync(tmpdir(), folder())],
    ['a file', () => writeFileSync(folder(), '')],
    [
      'a folder that others can read',
      () => {
        mkdirSync(folder());
        chmodSync(folder(), 0o755);
      },
    ],
  ])('uses the temporary folder instead of %s', async (_what, make) => {
    make();
    const own = join(runtime, 'tmp', `jig-${process.geteuid?.()}`);
    expect(announced().announcement.socket.startsWith(own)).toBe(true);
    expect(await announcements()).toHaveLength(1);
    rmSync(own, { recursive: true });
    writeFileSync(own, '');
    expect(() => announced()).toThrow('as a folder of this user alone');
  });

  it('rejects a path that is too long for a socket', () => {
    const long = join(runtime, 'x'.repeat(90));
    mkdirSync(long);
    process.env.XDG_RUNTIME_DIR = long;
    process.env.TMPDIR = long;
    expect(() => announced()).toThrow('a path shorter than 103');
    expect(readdirSync(long)).toEqual([]);
  });

  it('are listed without those of ended processes, whose files are removed, and sockets in use are kept', async () => {
    mkdirSync(folder(), { mode: 0o700 });
    // No process has such a number.
    const dead = join(folder(), `${(2 ** 30).toString(36)}-0-x-1`);
    await leaveSocket(`${dead}.sock`);
    writeFileSync(`${dead}.json`, JSON.stringify({}));
    for (const extension of ['json', 'sock']) utimesSync(`${dead}.${extension}`, 0, 0);
    writeFileSync(join(folder(), 'notes.txt'), '');
    const alive = join(folder(), `${(2 ** 30 + 1).toString(36)}-0-x-1.sock`);
    const server = createServer().listen(alive);
    await announcements();
    expect(['json', 'sock'].filter((each) => existsSync(`${dead}.${each}`))).toEqual([]);
    expect(existsSync(alive)).toBe(true);
    expect(existsSync(join(folder(), 'notes.txt'))).toBe(true);
    server.close();
  });

  it('does not change how Node resolves symbolic links', async () => {
    mkdirSync(join(runtime, 'real'));
    symlinkSync(join(runtime, 'real'), join(runtime, 'link'));
    const resolved = (name: string) => {
      writeFileSync(join(runtime, 'real', name), '');
      return createRequire(import.meta.url).resolve(join(runtime, 'link', name));
    };
    resolved('first.js');
    mkdirSync(folder(), { mode: 0o700 });
    const dead = join(folder(), `${(2 ** 30).toString(36)}-0-x-1.sock`);
    await leaveSocket(dead);
    utimesSync(dead, 0, 0);
    const { close } = announced();
    await announcements();
    expect(readdirSync(folder()).some((name) => dead.endsWith(name))).toBe(false);
    expect(resolved('second.js')).toBe(join(runtime, 'real', 'second.js'));
    close();
    expect(resolved('third.js')).toBe(join(runtime, 'real', 'third.js'));
  });

  it('lists neither a file without a socket nor one with something else in it', async () => {
    const { announcement } = announced();
    const other = join(folder(), `${process.pid.toString(36)}-9-x-1`);
    writeFileSync(`${other}.json`, JSON.stringify({ ...announcement, id: 'other' }));
    expect(await announcements()).toEqual([announcement]);
    const server = createServer().listen(`${other}.sock`);
    writeFileSync(`${other}.json`, '{"id":');
    expect(await announcements()).toEqual([announcement]);
    writeFileSync(`${other}.json`, '{"id":1}');
    expect(await announcements()).toEqual([announcement]);
    server.close();
  });
});

/** A socket as a killed process leaves it: the file is there, and nobody listens. */
async function leaveSocket(path: string): Promise<void> {
  const { execFileSync } = await import('node:child_process');
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  try {
    execFileSync(process.execPath, ['--eval', script]);
  } catch {
    // It was killed.
  }
}
