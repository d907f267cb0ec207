import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runAs } from '../supervisor/run-as.ts';
import { whyNotRunnable } from './program.ts';

let folder: string;
let program: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jig-program-'));
  await mkdir(join(folder, 'bin'));
  program = join(folder, 'bin', 'server');
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 });
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe.runIf(process.getuid?.() === 0)('a program that the server runs under root', () => {
  it('is not runnable below a folder that only root can enter, which is named with both remedies', async () => {
    const why = await whyNotRunnable(program, await runAs('nobody'));
    expect(why).toContain(`the user nobody, who cannot enter ${folder};`);
    expect(why).toContain(`chmod o+x ${folder}), or move the application`);
  });

  it('is runnable once others can enter the folder', async () => {
    await chmod(folder, 0o711);
    expect(await whyNotRunnable(program, await runAs('nobody'))).toBeUndefined();
  });

  it('is not runnable when only root may run it', async () => {
    await chmod(folder, 0o711);
    await chmod(program, 0o700);
    expect(await whyNotRunnable(program, await runAs('nobody'))).toMatch(
      /the user nobody, who cannot run \S+\/server$/,
    );
  });
});

it('a program is runnable by the application itself when it is executable', async () => {
  expect(await whyNotRunnable(program, undefined)).toBeUndefined();
  expect(await whyNotRunnable(join(folder, 'missing'), undefined)).toMatch(/^this user cannot run/);
});
