import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { supportedNodes } from '../../scripts/release/src/supported-nodes.ts';
import { root } from './imports.ts';

interface Job {
  /** A workflow of ours, in place of steps. */
  readonly uses?: string;
  readonly needs?: string;
  readonly permissions?: unknown;
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix: { readonly node: readonly number[]; readonly system: readonly string[] } };
  readonly steps?: readonly { readonly uses?: string; readonly run?: string }[];
}

interface Workflow {
  readonly on: unknown;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const folder = join(root, '.github/workflows');
const names = readdirSync(folder);
const read = (name: string): Workflow => parse(readFileSync(join(folder, name), 'utf8'), { strict: true });
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { matrix } = read('test.yml').jobs.test?.strategy ?? {};
const major = (version: string | number) => Number(String(version).split('.')[0]);

describe('the matrix of test.yml', () => {
  it('begins with the Nodes that engines begins with, and has every later even one', () => {
    const ranges = [...manifest.engines.node.matchAll(/(\^|>=)(\d+)/g)].map(([, sign, from]) => [sign, Number(from)]);
    const [closed, open] = ranges;
    expect(closed?.[0]).toBe('^');
    expect(open?.[0]).toBe('>=');
    expect(matrix?.node.slice(0, 2)).toEqual([closed?.[1], open?.[1]]);
    expect(matrix?.node).toEqual(matrix?.node.map((_, index) => Number(closed?.[1]) + 2 * index));
  });

  it('has the Nodes that a release is tried on, and the one of .nvmrc', () => {
    expect(new Set(matrix?.node)).toEqual(new Set(supportedNodes.map(major)));
    expect(matrix?.node).toContain(Number(readFileSync(join(root, '.nvmrc'), 'utf8')));
  });

  it('has the Nodes that docs/releases.md names', () => {
    const text = readFileSync(join(root, 'docs/releases.md'), 'utf8');
    const nodes = matrix?.node ?? [];
    expect(text).toContain(`run on Node ${nodes.slice(0, -1).join(', ')} and ${nodes.at(-1)},`);
  });

  it('has Linux on x64 and arm64, and macOS', () => {
    const kinds = matrix?.system.map((system) => system.replace(/-\d+(\.\d+)?/, ''));
    expect(kinds).toEqual(['ubuntu', 'ubuntu-arm', 'macos']);
  });
});

it('release.yml publishes only what test.yml has passed', () => {
  const { jobs } = read('release.yml');
  expect(jobs.publish?.needs).toBe('test');
  expect(jobs.test?.uses).toBe('./.github/workflows/test.yml');
  expect(read('test.yml').on).toHaveProperty('workflow_call');
});

describe.each(names)('the workflow %s', (name) => {
  const { permissions, jobs } = read(name);
  const ownJobs = Object.values(jobs).filter((job) => job.uses === undefined);
  const steps = ownJobs.flatMap((job) => job.steps ?? []);

  it('may only read unless a job says more, because a job may run the code of a stranger', () => {
    expect(Object.entries(permissions ?? { all: 'undeclared' }).filter(([, right]) => right !== 'read')).toEqual([]);
  });

  it('ends each job after a time of its own', () => {
    expect(ownJobs.map((job) => typeof job['timeout-minutes'])).not.toContain('undefined');
  });

  it('uses actions of the host itself, each by its major version', () => {
    const uses = steps.flatMap((step) => step.uses ?? []);
    expect(uses.length).toBeGreaterThan(1);
    expect(uses.filter((each) => !/^actions\/[\w-]+@v\d+$/.test(each))).toEqual([]);
  });

  it('runs scripts that there are', () => {
    const commands = steps.flatMap(({ run = '' }) => [...run.matchAll(/\bnpm (?:run )?(?:--\S+ )*([\w:-]+)/g)]);
    expect(commands.length).toBeGreaterThan(0);
    expect(
      commands.map(([, script]) => script).filter((script) => manifest.scripts[script ?? ''] === undefined),
    ).toEqual([]);
  });
});
