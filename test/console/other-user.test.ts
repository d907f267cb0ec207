import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Programs } from './console-on-this-machine.ts';

const run = promisify(execFile);

/** Tries to get at the applications of somebody else: by the console, and by the files and sockets in a folder. */
const attempt = `
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
const [address, folder, ...files] = process.argv.slice(1);
const result = (use) => { try { return use(); } catch ({ code }) { return code; } };
const connected = (path) => new Promise((resolve) => {
  const socket = connect(path, () => resolve('connected')).on('error', ({ code }) => resolve(code));
  socket.unref();
});
const { origin } = new URL(address);
const bean = await fetch(origin + '/jig/bean', { redirect: 'manual' });
const start = await fetch(origin, { redirect: 'manual' });
console.log(JSON.stringify({
  user: process.getuid(),
  statuses: [start.status, bean.status],
  cookie: start.headers.get('set-cookie'),
  folder: result(() => readdirSync(folder)),
  files: await Promise.all(files.map((file) => (file.endsWith('.sock') ? connected(file) : result(() => readFileSync(file, 'utf8'))))),
}));
`;

/** Only root can be somebody else; in the workflow on GitHub, nobody is root. */
describe.runIf(process.getuid?.() === 0)('another user of this machine', () => {
  it('is rejected by the console, and can read no announcement and open no socket', async () => {
    await using programs = await Programs.create();
    await programs.start('express-app.mjs');
    const { address } = await programs.startConsole();
    const folder = join(programs.folder, 'jig');
    const files = readdirSync(folder).map((name) => join(folder, name));
    expect(files.map((file) => file.replace(/^.*\./, '')).sort()).toEqual(['json', 'sock']);
    const args = ['--input-type=module', '-e', attempt, address, folder, ...files];
    const { stdout } = await run(process.execPath, args, { uid: 65_534, gid: 65_534, cwd: '/', env: {} });
    expect(JSON.parse(stdout)).toEqual({
      user: 65_534,
      statuses: [401, 401],
      cookie: null,
      folder: 'EACCES',
      files: ['EACCES', 'EACCES'],
    });
  });

  it('cannot find the token or the path in a command line', async () => {
    await using programs = await Programs.create();
    const { address, pid } = await programs.startConsole();
    const token = new URL(address).searchParams.get('token') ?? '';
    const { stdout } = await run('cat', [`/proc/${pid}/cmdline`], { uid: 65_534, gid: 65_534, env: {} });
    expect(stdout).toContain('jig.js');
    expect(stdout).not.toContain(token);
  });
});
