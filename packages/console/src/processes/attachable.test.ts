import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { attachObstacle, inspectorOf } from './attachable.ts';
import { linuxProcess } from './linux-processes.ts';
import type { ProcessFacts } from './process-facts.ts';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

const waiting = 'console.log("ready"); setInterval(() => {}, 1e6)';

/** The facts of a program once it has printed something. */
async function factsOf(program: string, args: readonly string[], uid?: number): Promise<ProcessFacts> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  started.push(child);
  await once(child.stdout, 'data');
  const facts = linuxProcess(child.pid ?? 0);
  if (facts === undefined) throw new Error('It has ended.');
  return facts;
}

const permission = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

describe.runIf(process.platform === 'linux')('whether a process can be attached to', () => {
  it('is true of Node with default options', async () => {
    const facts = await factsOf(process.execPath, ['-e', waiting]);
    expect(facts.onSigusr1).toBe('catches');
    expect(attachObstacle(facts, process.version)).toBeUndefined();
  });

  it('is false of Node with permissions, by the command line or by NODE_OPTIONS', async () => {
    const facts = await factsOf(process.execPath, [permission, '--allow-fs-read=*', '-e', waiting]);
    const sentence = `It was started with ${permission}, which closes its debugger.`;
    expect(attachObstacle(facts)).toBe(sentence);
    const plain = await factsOf(process.execPath, ['-e', waiting]);
    expect(attachObstacle({ ...plain, environment: { NODE_OPTIONS: `${permission} --trace-warnings` } })).toBe(
      sentence,
    );
  });

  it('depends on the options of Node, not on those of its script', async () => {
    const facts = await factsOf(process.execPath, ['-e', waiting]);
    const own = { ...facts, args: ['node', 'app.js', '--permission', '--disable-sigusr1'] };
    expect(attachObstacle(own)).toBeUndefined();
    const args = ['node', '--require', './x.js', '--disable-sigusr1', 'app.js'];
    expect(attachObstacle({ ...facts, args })).toBe(
      'It was started with --disable-sigusr1. Start it without, or with Jig.',
    );
  });

  it('is false of a program that SIGUSR1 would end, or that ignores it', async () => {
    const shell = await factsOf('/bin/sh', ['-c', 'echo ready; exec sleep 1000']);
    expect(shell.onSigusr1).toBe('ends');
    expect(attachObstacle(shell)).toMatch(/^It runs \w+, not Node: the signal would end it\.$/);
    // As Node in its first milliseconds.
    const early = { ...shell, program: '/usr/bin/node' };
    expect(attachObstacle(early)).toBe('It does not catch SIGUSR1: the signal would end it. Start it with Jig.');
    const deaf = await factsOf('/bin/sh', ['-c', 'trap "" USR1; echo ready; exec sleep 1000']);
    expect(attachObstacle({ ...deaf, program: '/usr/bin/node' })).toContain('the signal would do nothing');
    expect(attachObstacle({ ...shell, program: '/opt/bun' })).toBe('It runs bun, not Node: the signal would end it.');
  });

  it('is false of a process of another user', async () => {
    const facts = await factsOf(process.execPath, ['-e', waiting]);
    expect(attachObstacle({ ...facts, uid: facts.uid + 1 })).toBe('It belongs to another user. Attach as that user.');
  });

  it('is false of an old Node, and where the system shows no signal handlers', async () => {
    const facts = await factsOf(process.execPath, ['-e', waiting]);
    expect(attachObstacle(facts, 'v16.20.2')).toBe('Node 16 is too old. Jig needs 20.19, 22.12 or newer.');
    expect(attachObstacle(facts, '22.11.0')).toContain('too old');
    expect(attachObstacle({ ...facts, onSigusr1: undefined })).toContain('does not tell');
  });

  it('is false of a stopped process, and of one whose debugger would open to other machines', async () => {
    const facts = await factsOf(process.execPath, ['-e', waiting]);
    const stopped = { ...facts, isStopped: true };
    expect(attachObstacle(stopped)).toBe(`It is stopped. Let it continue (kill -CONT ${facts.pid}), then attach.`);
    const args = ['node', '--inspect-port=0.0.0.0:9230', 'app.js'];
    expect(attachObstacle({ ...facts, args })).toContain('would open on 0.0.0.0, for other machines too');
  });

  it.each([
    [[], '', '127.0.0.1', 9229],
    [['--inspect-port=9300'], '', '127.0.0.1', 9300],
    [['--inspect=localhost:9301'], '', 'localhost', 9301],
    [['--inspect=0.0.0.0'], '', '0.0.0.0', 9229],
    [['--debug-port=[::1]:9302'], '', '[::1]', 9302],
    [[], '--inspect-port=0 --trace-warnings', '127.0.0.1', 0],
    [['--inspect-port=9303'], '--inspect-port=9304', '127.0.0.1', 9303],
    [['--inspect-port', '0.0.0.0:9305'], '', '0.0.0.0', 9305],
    [['--inspect_port=0.0.0.0:9306'], '', '0.0.0.0', 9306],
    [[], '--title "a b" "--inspect-port" "0.0.0.0:9307"', '0.0.0.0', 9307],
  ])('finds the debugger address in %j and NODE_OPTIONS=%j', async (flags, NODE_OPTIONS, host, port) => {
    const facts = { ...(await factsOf(process.execPath, ['-e', waiting])), environment: { NODE_OPTIONS } };
    expect(inspectorOf({ ...facts, args: ['node', ...flags, 'app.js'] })).toEqual({ host, port });
  });
});
