import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beanInspection, type MetricOptions } from '@jig/bean-inspection';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listen } from './mounts/listen.ts';

const token = 'a-token-of-the-tests';
const orders = { open: ['kettle', 'toaster'], paid: 12, waits: 0.25 };
const pool = { _clients: [1, 2, 3], _idle: [1], _pendingQueue: [4], options: { max: 10 } };
const metrics: MetricOptions = {
  'orders.open': { bean: 'orders', at: '/open/length', unit: '{order}', description: 'Orders "open"\nwith \\.' },
  'orders.paid': { bean: 'orders', at: '/paid', type: 'counter' },
  'orders.waits': { bean: 'orders', at: '/waits', unit: 's' },
  'orders.missing': { bean: 'orders', at: '/missing' },
};
const inspection = beanInspection({ orders, pool, 'a "second"\\pool': pool }, { token, metrics, application: 'shop' });

let served: Awaited<ReturnType<typeof listen>>;

beforeAll(async () => {
  served = await listen(createServer((request, response) => void inspection(request, response)));
});
afterAll(() => served.stop());

async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** A Prometheus that scrapes every second, once with the token and once without. */
async function withPrometheus(use: (ask: (path: string) => Promise<unknown>) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'jig-prometheus-'));
  const { host } = new URL(served.url);
  const job = (name: string, more: object) => ({
    job_name: name,
    metrics_path: '/jig/metrics',
    static_configs: [{ targets: [host] }],
    ...more,
  });
  const jobs = [job('shop', { authorization: { credentials: token } }), job('stranger', {})];
  const configuration = { global: { scrape_interval: '1s', scrape_timeout: '1s' }, scrape_configs: jobs };
  // JSON is YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(configuration));
  const address = `127.0.0.1:${await freePort()}`;
  const flags = ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=${address}`];
  const prometheus: ChildProcess = spawn('prometheus', flags, { cwd: folder, stdio: 'ignore' });
  try {
    await use(async (path) => (await fetch(`http://${address}/api/v1/${path}`)).json());
  } finally {
    if (prometheus.exitCode === null && prometheus.kill()) await once(prometheus, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
}

it('a real Prometheus scrapes it with the token only', async () => {
  await withPrometheus(async (ask) => {
    const valuesOf = async (query: string) => {
      try {
        const { data } = (await ask(`query?query=${encodeURIComponent(query)}`)) as {
          data: { result: { value: [number, string] }[] };
        };
        return data.result.map(({ value }) => Number(value[1]));
      } catch {
        // It has not started yet.
        return [];
      }
    };
    await expect
      .poll(async () => (await valuesOf('count_over_time(orders_open[1m])'))[0], { interval: 500 })
      .toBeGreaterThanOrEqual(3);
    const { data } = (await ask('targets')) as {
      data: { activeTargets: { scrapePool: string; health: string; lastError: string }[] };
    };
    const targets = data.activeTargets.map(({ scrapePool, ...told }) => [scrapePool, told]);
    expect(Object.fromEntries(targets)).toMatchObject({
      shop: { health: 'up', lastError: '' },
      stranger: { health: 'down', lastError: expect.stringContaining('401') },
    });
    expect(await valuesOf('orders_open')).toEqual([2]);
    expect(await valuesOf('orders_paid_total')).toEqual([12]);
    expect(await valuesOf('db_client_connection_count{bean="pool",db_client_connection_state="idle"}')).toEqual([1]);
    expect(await valuesOf('count(db_client_connection_count)')).toEqual([4]);
    expect(await valuesOf('target_info{service_name="shop"}')).toEqual([1]);
    expect((await valuesOf('process_memory_usage_bytes'))[0]).toBeGreaterThan(1e6);
  });
});
