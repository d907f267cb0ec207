import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { attachObstacle, inspectorOf } from './attachable.ts';
import { linuxProcess } from './linux-processes.ts';
import type { ProcessFacts } from './process-facts.ts';

const facts: ProcessFacts = {
  pid: 7,
  parentPid: 1,
  uid: process.getuid?.() ?? 0,
  program: '/usr/bin/node',
  args: ['node', 'app.js'],
  startedAt: 0,
  memory: 0,
  addresses: [],
  onSigusr1: 'catches',
  environment: {},
};

describe('why a process cannot be attached to', () => {
  it.each<[string, Partial<ProcessFacts>, string | undefined]>([
    ['nothing', {}, undefined],
    ['options of its script', { args: ['node', 'app.js', '--permission', '--disable-sigusr1'] }, undefined],
    ['permissions', { args: ['node', '--permission', 'a.js'] }, 'It was started with --permission, which closes'],
    ['NODE_OPTIONS', { environment: { NODE_OPTIONS: '--experimental-permission' } }, 'which closes its debugger.'],
    ['an option', { args: ['node', '-r', './x.js', '--disable-sigusr1', 'a.js'] }, 'with --disable-sigusr1. Start it'],
    ['its first milliseconds', { onSigusr1: 'ends' }, 'It does not catch SIGUSR1: the signal would end it.'],
    ['deafness', { onSigusr1: 'ignores' }, 'the signal would do nothing'],
    ['another system', { onSigusr1: undefined }, 'does not tell'],
    ['another program', { program: '/opt/bun' }, 'It runs bun, not Node: the signal would end it.'],
    ['another user', { uid: -1 }, 'It belongs to another user. Attach as that user.'],
  ])('by %s', (_, changes, sentence) => {
    const obstacle = attachObstacle({ ...facts, ...changes }, process.version);
    expect(obstacle).toEqual(sentence && expect.stringContaining(sentence));
  });

  it('is an old Node', () => {
    expect(attachObstacle(facts, 'v16.20.2')).toBe('Node 16 is too old. Jig needs 20.19, 22.12 or newer.');
    expect(attachObstacle(facts, '22.11.0')).toContain('too old');
  });
});

it.runIf(process.platform === 'linux').each([
  ['ends', '/bin/sh', 'echo ready; exec sleep 1000'],
  ['ignores', '/bin/sh', 'trap "" USR1; echo ready; exec sleep 1000'],
])('Linux tells that a signal %s a program', async (does, program, script) => {
  const child = spawn(program, ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  expect(linuxProcess(child.pid ?? 0)?.onSigusr1).toBe(does);
  child.kill('SIGKILL');
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
])('with %j and NODE_OPTIONS=%j, a debugger opens on %s:%d', (flags, NODE_OPTIONS, host, port) => {
  const started = { ...facts, args: ['node', ...flags, 'app.js'], environment: { NODE_OPTIONS } };
  expect(inspectorOf(started)).toEqual({ host, port });
});
