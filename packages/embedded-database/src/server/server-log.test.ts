import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerLog } from './server-log.ts';

describe('the log of a server', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jig-log-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('keeps the output of the server in a file, and the last lines in memory', async () => {
    const log = new ServerLog(join(folder, 'server.log'));
    const stream = Readable.from(['one\ntwo\nth', 'ree\n', 'x'.repeat(10_000)]);
    log.drain(stream);
    await finished(stream);
    await expect.poll(() => log.tail(3)).toEqual(['two', 'three', `${'x'.repeat(2000)}…`]);
    await log.written();
    expect(await readFile(log.path, 'utf8')).toMatch(/^one\ntwo\nthree\nx+…\n$/);
    log.clear();
    expect(log.tail()).toEqual([]);
  });

  it('rotates the file before it grows too large, and keeps one old file', async () => {
    const log = new ServerLog(join(folder, 'server.log'), () => {}, 100);
    for (let number = 0; number < 100; number++) log.write(`line ${number}`);
    await log.written();
    expect((await readdir(folder)).sort()).toEqual(['server.log', 'server.log.1']);
    expect(await readFile(log.path, 'utf8')).toContain('line 99');
    expect((await readFile(`${log.path}.1`)).length).toBeLessThan(120);
  });

  it('continues when the file cannot be written', async () => {
    const log = new ServerLog(join(folder, 'missing', 'server.log'));
    log.write('first');
    await log.written();
    log.write('second');
    await log.written();
    expect(log.tail()).toEqual(['first', 'second']);
  });
});
