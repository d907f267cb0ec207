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

  it('keeps what the server says in a file, and the last lines in memory', async () => {
    const log = new ServerLog({ path: join(folder, 'server.log'), maximumLines: 2 });
    const stream = Readable.from(['one\ntwo\nth', 'ree\n']);
    log.drain(stream);
    await finished(stream);
    await expect.poll(() => log.tail()).toEqual(['two', 'three']);
    await log.close();
    expect(await readFile(log.path, 'utf8')).toBe('one\ntwo\nthree\n');
    log.clear();
    expect(log.tail()).toEqual([]);
  });

  it('rotates the file before it grows too big, and keeps two old ones', async () => {
    const log = new ServerLog({ path: join(folder, 'server.log'), maximumBytes: 100, olderFiles: 2 });
    for (let number = 0; number < 100; number++) log.write(`line ${number}`);
    await log.close();
    expect((await readdir(folder)).sort()).toEqual(['server.log', 'server.log.1', 'server.log.2']);
    expect(await readFile(log.path, 'utf8')).toContain('line 99');
    expect((await readFile(`${log.path}.1`)).length).toBeLessThan(120);
  });

  it('never writes a secret, nor a line without end', async () => {
    const log = new ServerLog({ path: join(folder, 'server.log') });
    log.addSecret('sesame');
    log.write('the word is sesame');
    log.write('x'.repeat(10_000));
    await log.close();
    expect(await readFile(log.path, 'utf8')).toMatch(/^the word is \*{6}\nx{2000}…\n$/);
  });

  it('goes on without a file that cannot be written', async () => {
    const log = new ServerLog({ path: join(folder, 'missing', 'server.log') });
    log.write('first');
    await log.close();
    log.write('second');
    await log.close();
    expect(log.tail()).toEqual(['first', 'second']);
  });
});
