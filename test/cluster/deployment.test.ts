import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostSettings } from '@jig/application/internal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { redisSettings } from '../../packages/redis-sessions/src/settings.ts';
import { quickReplication } from '../../packages/redis-sessions/test-fixtures/redis-cluster.ts';
import { RedisServer, until } from '../../packages/redis-sessions/test-fixtures/redis-server.ts';
import { startService } from '../support/start-service.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const text = read('docs/operations.md');
const configuration = read('docs/configuration.md');
/** What the image sets. */
const image = Object.fromEntries(
  [...(/^ENV NODE_ENV=.*$/m.exec(read('deploy/orders.Containerfile'))?.[0] ?? '').matchAll(/(\w+)=(\S+)/g)].map(
    ([, name = '', value = '']) => [name, value],
  ),
);

const unit = read('deploy/jig@.service');
const haproxy = read('deploy/haproxy.cfg');
const degraded = read('deploy/haproxy-degraded.cfg');

const seconds = (duration: string) => Number(/^(\d+)s$/.exec(duration)?.[1]);
/** How long an instance may take to end once it is drained. */
const longestStop = (2 * hostSettings.application.stopTimeout.default) / 1000;

/** After what HAProxy takes an instance out of service, in seconds: so many failed checks, and one that was just over. */
const haproxyNotices = () => {
  const [, interval, failures] = /check inter (\d+)ms fall (\d+)/.exec(haproxy) ?? [];
  return (Number(interval) * (Number(failures) + 1)) / 1000;
};

type Environment = Readonly<Record<string, string>>;

async function inFile<Result>(name: string, content: string, work: (file: string) => Result): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'jig-deployment-'));
  try {
    await writeFile(join(folder, name), content);
    return work(join(folder, name));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Each variable is one that the service knows, and an instance is drained before anybody ends it. */
function expectConsistent(environment: Environment, gracePeriod: number, noticed: number): void {
  const names = Object.keys(environment).filter((name) => name.startsWith('JIG_') || name === 'REDIS_URL');
  const known = names.filter((name) => configuration.includes(`\`${name}\``) || name === redisSettings.url.environment);
  expect(known).toEqual(names);
  expect(names).toContain('JIG_ADD_ONS_EXCLUDE');
  const drainDelay = seconds(environment.JIG_APPLICATION_DRAIN_DELAY ?? '');
  expect(drainDelay).toBeGreaterThan(noticed);
  expect(gracePeriod).toBeGreaterThan(drainDelay + longestStop);
}

function unitEnvironment(): Environment {
  const words = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) => line.split(' '));
  return Object.fromEntries(words.map((word) => word.replaceAll('%i', '8081').split('=') as [string, string]));
}

interface ComposeService {
  readonly environment?: Environment;
  readonly stop_grace_period?: string;
  readonly networks?: Readonly<Record<string, { readonly ipv4_address: string }>>;
  readonly command: string | readonly string[];
  readonly ports?: readonly string[];
}

const compose = parse(read('deploy/compose-cluster.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>;
};
const servicesNamed = (pattern: RegExp) =>
  Object.entries(compose.services).flatMap(([name, service]) => (pattern.test(name) ? [service] : []));

interface Container {
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly [probe: `${string}Probe`]: {
    readonly httpGet: { readonly path: string; readonly port: string };
    readonly periodSeconds: number;
    readonly failureThreshold?: number;
    readonly timeoutSeconds?: number;
  };
}

interface Labels {
  readonly matchLabels: Environment;
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector: Labels | Environment;
    readonly serviceName?: string;
    readonly replicas?: number;
    readonly ports?: readonly { readonly port: number; readonly targetPort?: string }[];
    readonly template: {
      readonly metadata: { readonly labels: Environment };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly [Container];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
  };
}

const documents = parseAllDocuments(read('deploy/kubernetes.yaml'));
const manifests = documents.map((document) => document.toJS() as Manifest);

function manifest(kind: string, name: string): Manifest {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name);
  if (found === undefined) throw new Error(`There is no ${kind} ${name}.`);
  return found;
}

const pod = () => manifest('Deployment', 'jig').spec.template.spec;
const container = () => pod().containers[0];
const podEnvironment = (): Environment =>
  Object.fromEntries(container().env.map(({ name, value }) => [name, value ?? 'a-secret-of-at-least-32-characters']));

describe('what deploy/ offers to copy', () => {
  it('the systemd unit of one application has all required settings', () => {
    const alone = read('deploy/orders.service');
    const values = new Map([...alone.matchAll(/^(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value]));
    expect(values.get('Environment')).toContain(`JIG_HOME=/var/lib/${values.get('StateDirectory')}`);
    expect(Number(values.get('TimeoutStopSec'))).toBeGreaterThan(longestStop);
  });

  it('the systemd template is valid, and leaves time to drain', async ({ skip }) => {
    expectConsistent(unitEnvironment(), Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]), haproxyNotices());
    expect(haproxy).toContain(`127.0.0.1:${unitEnvironment().PORT}`);
    if (spawnSync('systemd-analyze', ['--version']).status !== 0) skip('there is no systemd');
    const here = unit.replace('/usr/bin/node', process.execPath).replace('/opt/jig', tmpdir());
    const { stderr } = await inFile('jig@.service', here, (file) =>
      spawnSync('systemd-analyze', ['verify', file.replace('@', '@8081')], { encoding: 'utf8' }),
    );
    expect(stderr.split('\n').filter((line) => line.includes('jig@'))).toEqual([]);
  });

  it('HAProxy accepts its configuration', async () => {
    // The second file replaces the frontend of the first.
    for (const configuration of [haproxy, haproxy.replace(/^frontend.*?\n\n/ms, degraded)])
      await inFile('haproxy.cfg', configuration, (file) =>
        execFileSync('haproxy', ['-c', '-f', file], { stdio: 'pipe' }),
      );
  });

  it('the compose file has three instances on a cluster of six nodes, with time to drain', () => {
    const nodes = servicesNamed(/^redis\d$/).map(({ networks }) => networks?.jig?.ipv4_address ?? '');
    expect(new Set(nodes).size).toBe(6);
    const creation = String(compose.services['redis-cluster']?.command);
    for (const node of nodes) expect(creation).toContain(`${node}:6379`);
    const instances = servicesNamed(/^jig\d$/);
    expect(instances).toHaveLength(3);
    for (const { environment = {}, stop_grace_period = '' } of instances) {
      expectConsistent(environment, seconds(stop_grace_period), haproxyNotices());
      const addressed = [...(environment.REDIS_URL ?? '').matchAll(/[\d.]+(?=:6379)/g)].map(([node]) => node);
      expect(nodes).toEqual(expect.arrayContaining(addressed));
    }
    // docs/operations.md says what the balancer needs.
    const [, bound] = /with `bind :(\d+)`/.exec(text) ?? [];
    expect(compose.services.balancer?.ports).toEqual([`80:${bound}`]);
    for (const instance of [1, 2, 3]) expect(text).toContain(`\`jig${instance}:${image.PORT}\``);
  });

  it('the manifest for Kubernetes has probes, time to drain, and parts that find each other', () => {
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    const { ports, startupProbe, livenessProbe, readinessProbe, volumeMounts } = container();
    expect(ports).toEqual([{ name: 'http', containerPort: Number(image.PORT) }]);
    expect(startupProbe?.httpGet).toEqual({ path: '/health/live', port: 'http' });
    expect(livenessProbe?.httpGet).toEqual({ path: '/health/live', port: 'http' });
    expect(readinessProbe?.httpGet).toEqual({ path: '/health', port: 'http' });
    const { periodSeconds = 10, failureThreshold = 3, timeoutSeconds = 1 } = readinessProbe ?? {};
    const noticed = periodSeconds * failureThreshold + timeoutSeconds;
    expectConsistent(podEnvironment(), pod().terminationGracePeriodSeconds, noticed);
    expect(volumeMounts.map(({ mountPath }) => mountPath)).toContain(image.JIG_HOME);
    expect(pod().volumes.map(({ name }) => name)).toEqual(volumeMounts.map(({ name }) => name));
    for (const [kind, name] of [
      ['Deployment', 'jig'],
      ['StatefulSet', 'redis'],
    ] as const) {
      const { selector, template } = manifest(kind, name).spec;
      expect(selector).toEqual({ matchLabels: template.metadata.labels });
      expect(manifest('Service', name).spec.selector).toEqual(template.metadata.labels);
      expect(manifest('PodDisruptionBudget', name).spec.selector).toEqual(selector);
    }
    const redis = manifest('Service', manifest('StatefulSet', 'redis').spec.serviceName ?? '');
    expect(podEnvironment().REDIS_URL).toContain(`//${redis.metadata.name}:${redis.spec.ports?.[0]?.port}`);
    expect(manifest('StatefulSet', 'redis').spec.replicas).toBe(6);
    expect(manifest('Service', 'jig').spec.ports?.[0]?.targetPort).toBe('http');
  });
});

describe('an instance with the variables of deploy/', () => {
  let servers: readonly RedisServer[] = [];
  let url: string;

  beforeAll(async () => {
    const primary = await RedisServer.start(...quickReplication);
    const replicaOf = ['--replicaof', '127.0.0.1', String(primary.port)];
    servers = [primary, await RedisServer.start(...quickReplication, ...replicaOf)];
    url = primary.url;
  });

  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  it.concurrent.each([
    ['systemd', unitEnvironment],
    ['compose', () => ({ ...image, ...servicesNamed(/^jig1$/)[0]?.environment })],
    ['Kubernetes', () => ({ ...image, ...podEnvironment() })],
  ])('of %s starts, and answers the probes', async (_where, given) => {
    const { JIG_HOME: _home, ...environment } = given();
    const here = { HOST: '127.0.0.1', PORT: '0', REDIS_URL: url };
    const secret = { JIG_SESSIONS_SECRET: 'a-secret-of-at-least-32-characters' };
    const service = await startService({ environment: { ...environment, ...secret, ...here } });
    const isWell = async (path: string) => (await fetch(service.url + path)).status === 200;
    try {
      for (const path of ['/health/live', '/health']) await until(() => isWell(path), `${path} is 200`);
    } finally {
      await service.stop('SIGKILL');
    }
  });
});
