import { execFileSync, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SmallDisk } from '../../packages/embedded-database/test-fixtures/small-disk.ts';
import { instancesOf, runtimeFolder, startApplication } from './start-application.ts';

describe('a full disk', () => {
  it('keeps a process from announcing itself, which says so and leaves nothing', async ({ skip }) => {
    const runtime = runtimeFolder();
    const disk = await SmallDisk.mount(runtime, 1, skip);
    try {
      await disk.fill();
      await using application = await startApplication('single', { runtime });
      const answer = await fetch(`${application.url}/jig/bean/who.json?instance=other`);
      expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('ENOSPC')]);
      expect((await fetch(`${application.url}/jig/bean/who.json`)).status).toBe(200);
      expect(readdirSync(join(runtime, 'jig'))).toEqual([]);
    } finally {
      await disk.unmount();
      await rm(runtime, { recursive: true });
    }
  });

  it('hides no process that has announced itself before', async () => {
    await using first = await startApplication('single');
    const { runtime, process: child } = first;
    await using second = await startApplication('single', { runtime });
    // No write of it succeeds from now on, as on a full disk, where another may take what it frees.
    execFileSync('prlimit', [`--pid=${child.pid}`, '--fsize=0']);
    // At its first request, it would tell its address too.
    expect((await fetch(`${first.url}/jig/bean/who.json`)).status).toBe(200);
    expect(await instancesOf(second.url)).toHaveLength(2);
    expect(readdirSync(join(runtime, 'jig'))).toHaveLength(4);
  });
});

/** A DNS server that knows one name, on the port of all DNS servers (RFC 1035); undefined where that is not allowed. */
async function startDns(host: string, addresses: readonly string[]) {
  const server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, 12) + 5;
    const isIpv4 = query.readUInt16BE(end - 4) === 1;
    const found = isIpv4 ? addresses : [];
    const records = found.map((each) => [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...each.split('.').map(Number)]);
    // An answer with as many records as there are addresses, to the question as it came.
    const head = [...query.subarray(0, 2), 0x85, 0x80, 0, 1, 0, found.length, 0, 0, 0, 0];
    server.send(Buffer.from([...head, ...query.subarray(12, end), ...records.flat()]), port, address);
  });
  server.bind(53, host);
  const [error] = await Promise.race([once(server, 'listening'), once(server, 'error')]).catch((each) => [each]);
  return error === undefined ? server : undefined;
}

const needed = 'A test of DNS needs port 53 and a resolv.conf of its own: run it as root with the right to mount.';

it('peers by a name are all that DNS gives, and one that does not answer is said to', async ({ skip }) => {
  const token = 'a-token-of-all-of-them';
  const ofPeer = JSON.stringify({ token, host: '127.0.0.2' });
  await using peer = await startApplication('single', { arguments: [ofPeer] });
  const port = Number(new URL(peer.url).port);
  // No other run of the tests has it.
  const host = `127.53.${(process.pid >> 8) & 255}.${process.pid & 255}`;
  const dns = await startDns(host, ['127.0.0.2', '127.0.0.3']);
  if (dns === undefined || spawnSync('unshare', ['--mount', 'true']).status !== 0) return skip(needed);
  const silent = createServer().listen(port, '127.0.0.3');
  const folder = runtimeFolder();
  try {
    await once(silent, 'listening');
    const configuration = join(folder, 'resolv.conf');
    writeFileSync(configuration, `nameserver ${host}\n`);
    const script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"';
    await using own = await startApplication('single', {
      under: ['unshare', '--mount', 'sh', '-c', script, configuration],
      arguments: [JSON.stringify({ token, dns: ['shop.test', port] })],
    });
    const asked = async () => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${own.url}/jig/bean/who.json?instance=all&at=/pid`, { headers })).json();
    };
    // On a busy machine, the first answers may take longer than a second.
    await expect
      .poll(async () => new Set(Object.values((await asked()) as object)), { timeout: 20_000 })
      .toEqual(new Set([own.process.pid, peer.process.pid, '[Instance did not answer within 1 s]']));
  } finally {
    dns.close();
    silent.close();
    await rm(folder, { recursive: true });
  }
});
