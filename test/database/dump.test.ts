import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { connectDatabase } from '@jig/embedded-database';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const installed = '/usr/lib/postgresql';
const nobody = 65_534;
const identity = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

/** No npm package has `pg_dump`, and that of Debian is older than our server: so this is about a server of Debian. */
describe.runIf(process.platform === 'linux')('a database of a PostgreSQL that is installed with pg_dump', () => {
  let folder: string;
  let server: ChildProcess;

  beforeAll(async () => {
    const versions = (await readdir(installed)).map(Number).sort((one, other) => other - one);
    const program = (name: string) => join(installed, String(versions[0]), 'bin', name);
    folder = await mkdtemp(join(tmpdir(), 'jig-dump-'));
    await chmod(folder, 0o755);
    if (identity.uid !== undefined) await chown(folder, identity.uid, identity.gid);
    const data = join(folder, 'data');
    const options = { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' }, ...identity };
    await promisify(execFile)(program('initdb'), ['--no-sync', '--username=jig', '--auth=trust', data], options);
    const settings = ['-F', '-c', 'listen_addresses=', '-c', `unix_socket_directories=${folder}`];
    server = spawn(program('postgres'), ['-D', data, ...settings], { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    for await (const line of createInterface({ input: server.stderr ?? process.stdin }))
      if (line.includes('ready to accept connections')) break;
    server.stderr?.resume();
  });

  afterAll(async () => {
    server.kill('SIGQUIT');
    if (server.exitCode === null) await once(server, 'exit');
    await rm(folder, { recursive: true, force: true });
  });

  it('is dumped into a file, which another one restores', async () => {
    await using connected = connectDatabase(`postgresql://jig@localhost/postgres?host=${encodeURIComponent(folder)}`);
    await using first = await connected.create('first');
    await using second = await connected.create('second');
    await ask(first.url, `create table books (name text); insert into books values ('Middlemarch')`);
    const file = join(folder, 'dump.sql');
    await first.dump(file);
    expect(await readFile(file, 'utf8')).toContain('Middlemarch');
    await second.restore(file);
    expect(await ask(second.url, 'select name from books')).toEqual([{ name: 'Middlemarch' }]);
  });
});

async function ask(url: string, statements: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(statements)).rows;
  } finally {
    await client.end();
  }
}
