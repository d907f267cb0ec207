import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { redisSettings } from '../../packages/redis-sessions/src/settings.ts';

const text = readFileSync(new URL('../../docs/several-instances.md', import.meta.url), 'utf8');
const configuration = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');

/** The blocks of the document in this language. */
const blocks = (language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block);

const seconds = (duration: string) => Number(/^(\d+)s$/.exec(duration)?.[1]);
/** Twice `application.stopTimeout`. */
const longestStop = 20;

async function inFile<Result>(name: string, content: string, work: (file: string) => Result): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'jig-deployment-'));
  try {
    await writeFile(join(folder, name), content);
    return work(join(folder, name));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Each variable of ours is one that the service knows. */
function expectKnown(names: readonly string[]): void {
  const known = names.filter((name) => configuration.includes(`\`${name}\``) || name === redisSettings.url.environment);
  expect(known).toEqual(names);
}

interface Container {
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string; readonly port: string } };
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template: {
      readonly spec: { readonly terminationGracePeriodSeconds: number; readonly containers: readonly Container[] };
    };
  };
}

describe('what docs/several-instances.md offers to copy', () => {
  it('the systemd unit is one', async ({ skip }) => {
    if (spawnSync('systemd-analyze', ['--version']).status !== 0) skip('there is no systemd');
    const [unit = ''] = blocks('ini');
    const here = unit.replace('/usr/bin/node', process.execPath).replace('/opt/jig', tmpdir());
    const { stderr } = await inFile('jig@.service', here, (file) =>
      spawnSync('systemd-analyze', ['verify', file.replace('@', '@8081')], { encoding: 'utf8' }),
    );
    expect(stderr.split('\n').filter((line) => line.includes('jig@'))).toEqual([]);
    const drainDelay = seconds(/DRAIN_DELAY=(\S+)/.exec(unit)?.[1] ?? '');
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(drainDelay + longestStop);
    expectKnown([...unit.matchAll(/\b(JIG_\w+)=/g)].map(([, name = '']) => name));
  });

  it('HAProxy takes its configuration', async () => {
    const [haproxy = ''] = blocks('haproxy');
    await inFile('haproxy.cfg', haproxy, (file) => execFileSync('haproxy', ['-c', '-f', file], { stdio: 'pipe' }));
  });

  it('the compose file names six nodes, three instances, and known variables', () => {
    const compose = parse(blocks('yaml')[0] ?? '', { merge: true }) as {
      services: Record<string, { environment?: Record<string, string>; stop_grace_period?: string }>;
    };
    const names = Object.keys(compose.services);
    expect(names.filter((name) => /^redis\d$/.test(name))).toHaveLength(6);
    const instances = names.filter((name) => /^jig\d$/.test(name)).map((name) => compose.services[name]);
    expect(instances).toHaveLength(3);
    for (const instance of instances) {
      const environment = instance?.environment ?? {};
      expectKnown(Object.keys(environment));
      const drainDelay = seconds(environment.JIG_APPLICATION_DRAIN_DELAY ?? '');
      expect(seconds(instance?.stop_grace_period ?? '')).toBeGreaterThan(drainDelay + longestStop);
    }
  });

  it('the manifest for Kubernetes has probes, a long enough drain, and known variables', () => {
    const documents = parseAllDocuments(blocks('yaml')[1] ?? '');
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    const manifests = documents.map((document) => document.toJS() as Manifest);
    const deployment = manifests.find(({ kind }) => kind === 'Deployment');
    const pod = deployment?.spec.template.spec;
    const container = pod?.containers[0];
    expect(container?.ports).toEqual([{ name: 'http', containerPort: 8080 }]);
    expect(container?.startupProbe?.httpGet).toEqual({ path: '/health/live', port: 'http' });
    expect(container?.livenessProbe?.httpGet).toEqual({ path: '/health/live', port: 'http' });
    expect(container?.readinessProbe?.httpGet).toEqual({ path: '/health', port: 'http' });
    const environment = container?.env ?? [];
    expectKnown(environment.map(({ name }) => name));
    const drain = environment.find(({ name }) => name === 'JIG_APPLICATION_DRAIN_DELAY')?.value ?? '';
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(seconds(drain) + longestStop);
    const nodes = manifests.find(({ kind }) => kind === 'StatefulSet');
    expect(nodes?.metadata.name).toBe('redis');
  });
});
