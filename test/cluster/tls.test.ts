import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort, RedisServer, until } from '../../packages/redis-sessions/test-fixtures/redis-server.ts';
import { makeNotes, Visitor } from '../faults/database-notes.ts';
import type { MadeApplication } from '../support/make-application.ts';
import { runService, startService } from '../support/start-service.ts';

let folder: string;
let application: MadeApplication;
let certificate: string;
let tlsPort: number;
let server: RedisServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jig-redis-tls-'));
  application = await makeNotes('@jig/redis-sessions');
  certificate = join(folder, 'certificate.pem');
  const key = join(folder, 'key.pem');
  const subject = ['-subj', '/CN=redis', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject];
  execFileSync('openssl', [...request, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  tlsPort = await freePort();
  const flags = [
    ['--tls-port', String(tlsPort), '--tls-cert-file', certificate, '--tls-key-file', key],
    ['--tls-ca-cert-file', certificate, '--tls-auth-clients', 'no', '--tls-cluster', 'yes'],
    ['--cluster-enabled', 'yes', '--cluster-config-file', join(folder, 'nodes.conf')],
    ['--cluster-port', String(await freePort()), '--cluster-announce-ip', '127.0.0.1'],
    ['--requirepass', 'open-sesame'],
  ];
  server = await RedisServer.start(...flags.flat());
  await server.commands(['AUTH', 'open-sesame'], ['CLUSTER', 'ADDSLOTSRANGE', '0', '16383']);
  const isUp = async () => {
    const [, text] = await server.commands(['AUTH', 'open-sesame'], ['CLUSTER', 'INFO']);
    return String(text).includes('cluster_state:ok');
  };
  await until(isUp, 'the cluster of one node is up');
});

afterAll(async () => {
  await server.stop();
  await application.remove();
  await rm(folder, { recursive: true, force: true });
});

const options = (scheme: string, environment: NodeJS.ProcessEnv) => ({
  main: application.main,
  environment: { REDIS_URL: `${scheme}://:open-sesame@127.0.0.1:${tlsPort}`, ...environment },
});

it('keeps sessions in a cluster over TLS, with a custom certificate authority', async () => {
  const service = await startService(options('rediss+cluster', { NODE_EXTRA_CA_CERTS: certificate }));
  const { visitor } = await new Visitor(service.url).note('zoneID', 'UTC');
  expect((await visitor.read()).notes).toEqual({ zoneID: 'UTC' });
  expect(service.output()).not.toContain('open-sesame');
  await service.stop();
});

it.each(['rediss', 'rediss+cluster'])('does not start with %s and an unknown certificate', async (scheme) => {
  const { exitCode, stderr } = await runService(options(scheme, {}));
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/Redis at \S+ cannot be used: .*certificate/);
  expect(stderr).not.toContain('open-sesame');
});
