import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from './imports.ts';

const read = (name: string) => readFileSync(join(root, name), 'utf8');
const containerfile = read('deploy/Containerfile').replaceAll('\\\n', ' ');

/** The variables of docs/configuration.md, which another test compares with the settings. */
const variables = new Set(
  [...read('docs/configuration.md').matchAll(/^- `[\w.]+`, `(\w+)`/gm)].map(([, variable]) => variable),
);
const unknownVariables = (names: readonly string[]) => names.filter((name) => !variables.has(name));

describe('deploy/Containerfile', () => {
  it('copies only existing paths', () => {
    const lines = [...containerfile.matchAll(/^COPY (?!--from)(.+)$/gm)].map(([, paths = '']) => paths.split(/\s+/));
    const sources = lines.flatMap((paths) => paths.slice(0, -1));
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('copies the package.json of every package before it installs', () => {
    const copied = [...containerfile.matchAll(/^COPY packages\/([\w-]+)\/package\.json packages\/\1\/$/gm)];
    expect(copied.map(([, name]) => name)).toEqual(readdirSync(join(root, 'packages')).sort());
  });

  it('sets only variables of settings, and does not run as root', () => {
    const lines = [...containerfile.matchAll(/^ENV (.+)$/gm)].map(([, line = '']) => line);
    const names = lines.flatMap((line) => [...line.matchAll(/(\w+)=/g)].map(([, name = '']) => name));
    expect(names).toContain('JIG_HOME');
    expect(unknownVariables(names)).toEqual([]);
    expect(containerfile.match(/^USER .*$/gm)?.at(-1)).toBe('USER node');
  });
});

it('deploy/compose.yaml gives its instances only variables of settings', () => {
  const { services } = parse(read('deploy/compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<string, { readonly image: string; readonly environment?: object }>>;
  };
  const instances = Object.values(services).filter(({ image }) => image === 'jig-service');
  expect(instances).toHaveLength(2);
  for (const { environment = {} } of instances) expect(unknownVariables(Object.keys(environment))).toEqual([]);
});

it.each(readdirSync(join(root, '.github/workflows')))('the workflow %s runs only existing scripts', (name) => {
  const { scripts } = JSON.parse(read('package.json'));
  const { jobs } = parse(read(`.github/workflows/${name}`), { strict: true }) as {
    readonly jobs: Readonly<Record<string, { readonly steps?: readonly { readonly run?: string }[] }>>;
  };
  const commands = Object.values(jobs).flatMap(({ steps = [] }) => steps.map(({ run = '' }) => run));
  const used = commands.flatMap((run) => [...run.matchAll(/\bnpm (?:run )?(?:--\S+ )*([\w:-]+)/g)]);
  expect(used.length).toBeGreaterThan(0);
  expect(
    used
      .map(([, script = '']) => script)
      .filter((script) => !['ci', 'install'].includes(script) && !Object.hasOwn(scripts, script)),
  ).toEqual([]);
});
