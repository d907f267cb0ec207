import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostSettings } from '@jig/application/internal';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from './imports.ts';

interface Service {
  readonly image: string;
  readonly build?: { readonly dockerfile: string };
  readonly user?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stop_grace_period?: string;
  readonly volumes?: readonly string[];
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
