import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestApplication } from '@jig/application/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts, RedisServer, until } from '../../packages/redis-sessions/test-fixtures/redis-server.ts';
import { makeNotes, notesFeature, Visitor } from '../faults/database-notes.ts';
import { MeasuredLoad } from '../faults/measured-load.ts';
import { startInProcess } from '../support/in-process.ts';
import type { MadeApplication } from '../support/make-application.ts';
import { type RunningService, startService } from '../support/start-service.ts';
import { startOnRedis } from './redis-application.ts';

/** For as long as a slow machine needs to notice that an instance stops. */
const drainDelay = '5s';
const instanceCount = 3;
const visitorCount = 200;
const pauseOfVisitors = 6000;

const deployed = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');

/** What deploy/ offers to copy, for other ports: it asks ten times a second, and waits for as long as a slow machine needs. */
function configuration(port: number, instances: readonly number[]): string {
  const servers = instances.map((instance, index) => `  server jig${index + 1} 127.0.0.1:${instance}\n`);
  return deployed('haproxy.cfg')
    .replace(/^frontend.*?\n\n/ms, `${deployed('haproxy-degraded.cfg')}\n`)
    .replace('bind :80', `bind 127.0.0.1:${port}\n  stats enable\n  stats uri /balancer`)
    .replace(/(?: +server jig\d .*\n)+/g, servers.join(''))
    .replace(/(timeout \w+) \w+/g, '$1 10m')
    .replace(/inter \w+ fall \d/, 'inter 100ms fall 1');
}

let application: MadeApplication;
let redis: RedisServer;
let folder: string;
let balancer: ChildProcess;
let url: string;
let ports: readonly number[];
let instances: RunningService[] = [];

const options = (port = 0, delay = drainDelay) => ({
  main: application.main,
  // A store that is slow refuses nobody here: what is refused has met an instance that was stopping.
  flags: [`--application.drainDelay=${delay}`, '--sessions.storeDeadline=30s', '--redis.commandTimeout=30s'],
  environment: { REDIS_URL: redis.url, JIG_SESSIONS_SECRET: secrets.old, PORT: String(port) },
});

const start = (port: number) => startService(options(port));

const secrets = { old: 'the-old-secret-of-at-least-32-characters', new: 'the-new-secret-of-at-least-32-characters' };

/** What the balancer thinks of the instances. */
async function states(): Promise<readonly string[]> {
  const lines = (await (await fetch(`${url}/balancer;csv`)).text()).split('\n').map((line) => line.split(','));
  const column = lines[0]?.indexOf('status') ?? 0;
  return lines
    .filter(([backend, name]) => backend === 'jig' && name !== 'BACKEND')
    .map((fields) => fields[column] ?? '');
}

const allUp = () =>
  until(async () => (await states()).every((state) => state === 'UP'), 'all instances are in service');

/** One after the other, each when the balancer has the one before. */
async function restartAll(): Promise<void> {
  for (const [index, instance] of instances.entries()) {
    expect(await instance.stop('SIGTERM')).toBe(0);
    instances[index] = await start(ports[index] ?? 0);
    await allUp();
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jig-balancer-'));
  application = await makeNotes('@jig/redis-sessions');
  redis = await RedisServer.start();
  const [balancerPort = 0, ...others] = await freePorts(1 + instanceCount);
  ports = others;
  url = `http://127.0.0.1:${balancerPort}`;
  instances = await Promise.all(ports.map((port) => start(port)));
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configuration(balancerPort, ports));
  balancer = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  await allUp();
});

afterAll(async () => {
  balancer.kill('SIGKILL');
  await once(balancer, 'exit');
  await Promise.all(instances.map((instance) => instance.stop('SIGKILL')));
  await redis.stop();
  await application.remove();
  await rm(folder, { recursive: true, force: true });
});

describe('three instances behind a balancer', () => {
  it(`are restarted one after the other under ${visitorCount} visitors without a failed request or a lost choice`, async () => {
    const load = new MeasuredLoad([url], visitorCount, pauseOfVisitors);
    await load.goesOn(visitorCount);
    // One for each instance, which is told to stop before it has answered.
    const slow = instances.map(async () => (await fetch(`${url}/slow`)).status);
    await restartAll();
    expect(await Promise.all(slow)).toEqual(instances.map(() => 200));
    await load.goesOn(visitorCount);
    const figures = await load.end();
    console.info('rolling restart', figures);
    expect(figures).toMatchObject({ refused: 0, unexpected: [], lost: 0 });
    expect(figures.answered).toBeGreaterThan(2 * visitorCount);
  });
});

it('instances change the secret of the cookies in the documented steps, and nobody loses a session', async () => {
  const startWith = (secret: string, ...previousSecrets: string[]) =>
    startOnRedis(notesFeature, { url: redis.url }, { secret, previousSecrets });
  const [before, accepting, signing, after] = await Promise.all([
    startWith(secrets.old),
    startWith(secrets.old, secrets.new),
    startWith(secrets.new, secrets.old),
    startWith(secrets.new),
  ]);
  const known = async (visitor: Visitor, { url: own }: TestApplication) => (await visitor.at(own).read()).notes;
  const comeTo = async (visitor: Visitor, { url: own }: TestApplication) =>
    (await visitor.at(own).note('came', 'here')).visitor;
  const came = { came: 'here' };
  const visitors: Visitor[] = [];
  // During each step, some instances have taken it and some have not; a visitor may come to any of them.
  for (const [old, next] of [
    [before, accepting],
    [accepting, signing],
  ] as const) {
    for (const instance of [old, next]) visitors.push(await comeTo(new Visitor(instance.url), instance));
    for (const visitor of visitors)
      for (const instance of [old, next]) expect(await known(visitor, instance)).toEqual(came);
  }
  // In the last step, whoever has come since then has a new cookie, and the old secret can go.
  for (const visitor of visitors) {
    const renewed = await comeTo(visitor, signing);
    for (const instance of [signing, after]) expect(await known(renewed, instance)).toEqual(came);
  }
  // Without the first step, some would not know a cookie that others have just signed.
  expect(await known(await comeTo(new Visitor(signing.url), signing), before)).toEqual({});
  await Promise.all([before, accepting, signing, after].map((instance) => instance.stop()));
});

it('an instance that is told to stop answers 503 at /health, and everything else as before, closing connections', async () => {
  const service = await startInProcess(options(0, '10s'));
  const health = async () => fetch(`${service.url}/health`);
  await expect.poll(async () => (await health()).status).toBe(200);
  const before = await fetch(`${service.url}/notes`);
  expect(before.headers.get('connection')).not.toBe('close');
  const ended = service.stop();
  await expect
    .poll(async () => (await health()).json(), { interval: 20 })
    .toMatchObject({
      status: 'unavailable',
      parts: { application: { ok: false, state: 'stopping' }, redis: { ok: true } },
    });
  for (const path of ['/notes', '/health/live', '/nothing']) {
    const answer = await fetch(service.url + path);
    expect([path, answer.status]).toEqual([path, path === '/nothing' ? 404 : 200]);
    expect(answer.headers.get('connection')).toBe('close');
  }
  expect(await ended).toBe(true);
  await expect(fetch(service.url)).rejects.toThrow();
});
