import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostSettings } from '@jig/application/internal';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root, type SourceFile, sourceFiles } from './imports.ts';

interface Service {
  readonly image: string;
  readonly build?: { readonly dockerfile: string };
  readonly user?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stop_grace_period?: string;
  readonly volumes?: readonly string[];
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const read = (name: string) => readFileSync(join(root, name), 'utf8');
const containerfile = read('deploy/Containerfile').replaceAll('\\\n', ' ');
/** What runs; the stage before only builds. */
const lastStage = containerfile.slice(containerfile.lastIndexOf('\nFROM '));
const compose = parse(read('deploy/compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
};
const services = Object.entries(compose.services);
const instances = services.filter(([, { image }]) => image === 'jig-service');
const seconds = (duration = '') => Number(/^(\d+)s$/.exec(duration)?.[1]);

/** The variables of docs/configuration.md, which another test compares with the settings. */
const variables = new Set(
  [...read('docs/configuration.md').matchAll(/^- `[\w.]+`, `(\w+)`/gm)].map(([, variable]) => variable),
);
const unknownVariables = (names: readonly string[]) => names.filter((name) => !variables.has(name));

describe('deploy/Containerfile', () => {
  it('copies only paths that there are', () => {
    const lines = [...containerfile.matchAll(/^COPY (?!--from)(.+)$/gm)].map(([, paths = '']) => paths.split(/\s+/));
    const sources = lines.flatMap((paths) => paths.slice(0, -1));
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('copies the package.json of every package before it installs', () => {
    const copied = [...containerfile.matchAll(/^COPY packages\/([\w-]+)\/package\.json packages\/\1\/$/gm)];
    expect(copied.map(([, name]) => name)).toEqual(readdirSync(join(root, 'packages')).sort());
  });

  it('has the packages that are compiled there: those of optional peers come with the tests only', () => {
    const manifests = ['.', 'service', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)];
    const installed = manifests.flatMap((folder) => {
      const { dependencies, devDependencies } = JSON.parse(read(join(folder, 'package.json'))) as Manifest;
      return Object.keys({ ...dependencies, ...devDependencies });
    });
    const isTyped = ({ path }: SourceFile) => path.endsWith('.ts');
    const imported = sourceFiles(['packages', 'service'])
      .filter(isTyped)
      .flatMap(({ imports }) => imports);
    const names = imported.map((each) => /^(?:@[\w-]+\/)?[\w.-]+/.exec(each)?.[0] ?? '');
    const others = names.filter((name) => !/^(?:packages|service|node|@jig\/.*)$/.test(name));
    expect([...new Set(others)].filter((name) => !installed.includes(name))).toEqual([]);
  });

  it('sets only variables of settings', () => {
    const lines = [...containerfile.matchAll(/^ENV (.+)$/gm)].map(([, line = '']) => line);
    const names = lines.flatMap((line) => [...line.matchAll(/(\w+)=/g)].map(([, name = '']) => name));
    expect(names).toContain('JIG_HOME');
    expect(unknownVariables(names)).toEqual([]);
  });

  it('does not run as root', () => expect(lastStage.match(/^USER .*$/gm)?.at(-1)).toBe('USER node'));

  it('has a health check, which asks whether the process is alive', () => {
    expect(lastStage).toMatch(/^HEALTHCHECK .*CMD \[.*\/health\/live/m);
  });
});

it('.dockerignore leaves out data, installed packages and the history', () => {
  expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['**/.jig', '**/node_modules', '.git']));
});

describe('deploy/compose.yaml', () => {
  it('runs two instances of one image, which one of them builds', () => {
    expect(instances).toHaveLength(2);
    expect(instances.flatMap(([, { build }]) => build?.dockerfile ?? [])).toEqual(['deploy/Containerfile']);
    expect(instances.filter(([, { user }]) => user !== undefined)).toEqual([]);
  });

  it.each(instances)('gives %s only variables of settings', (_, { environment = {} }) => {
    expect(Object.keys(environment)).toContain('REDIS_URL');
    expect(unknownVariables(Object.keys(environment))).toEqual([]);
  });

  it.each(instances)('ends %s only after the proxy has noticed and it has stopped', (_, service) => {
    const [, interval] = /^\s*health_interval (\S+)$/m.exec(read('deploy/Caddyfile')) ?? [];
    const [, timeout] = /^\s*health_timeout (\S+)$/m.exec(read('deploy/Caddyfile')) ?? [];
    const drainDelay = seconds(service.environment?.JIG_APPLICATION_DRAIN_DELAY);
    expect(drainDelay).toBeGreaterThan(seconds(interval) + seconds(timeout));
    const longestStop = (2 * hostSettings.application.stopTimeout.default) / 1000;
    expect(seconds(service.stop_grace_period)).toBeGreaterThan(drainDelay + longestStop);
  });

  it('has a proxy that knows both instances, their health, and tries the other one', () => {
    expect(compose.services.proxy?.volumes).toEqual(['./Caddyfile:/etc/caddy/Caddyfile:ro']);
    const [, port] = /^ENV .*\bPORT=(\d+)/m.exec(lastStage) ?? [];
    const addresses = instances.map(([name]) => `${name}:${port}`);
    expect(read('deploy/Caddyfile')).toContain(`reverse_proxy ${addresses.join(' ')} {`);
    expect(read('deploy/Caddyfile')).toMatch(/^\s*health_uri \/health$/m);
    expect(read('deploy/Caddyfile')).toMatch(/^\s*lb_try_duration \d+s$/m);
  });
});
