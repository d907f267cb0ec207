import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { View } from '@jig/inspect';
import { afterEach, describe, expect, it } from 'vitest';
import { type BeanInspectionOptions, beanInspection } from '../mounts/inspector.ts';
import type { MetricOptions } from '../options.ts';

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

async function serve(beans: Parameters<typeof beanInspection>[0], options: BeanInspectionOptions = {}) {
  const handler = beanInspection(beans, options);
  const server = createServer((request, response) => void handler(request, response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  opened.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return (accept?: string) =>
    fetch(`http://127.0.0.1:${port}/jig/metrics`, accept === undefined ? {} : { headers: { accept } });
}

const textOf = async (...given: Parameters<typeof serve>) => (await (await serve(...given))()).text();
const linesWith = (text: string, name: string) => text.split('\n').filter((line) => line.includes(name));

const metrics: MetricOptions = {
  'orders.open': { bean: 'orders', at: '/open/length', unit: '{order}', description: 'Orders "open"\nnow' },
  'orders.paid-total': { bean: 'orders', at: '/paid', type: 'counter', unit: 'By' },
  'orders.late': { bean: 'orders', at: '/late', unit: '1' },
  'orders.speed': { bean: 'orders', at: '/paid', unit: 'By/s' },
  'orders.gone': { bean: 'orders', at: '/gone' },
  'later.size': { bean: 'later', at: '' },
  'orders.count': { bean: 'orders', at: '/open' },
};
const orders = { open: [1, 2], paid: 12, late: 0.5 };

describe('GET /jig/metrics', () => {
  it('exports the option metrics, by names that Prometheus accepts, and reports missing ones', async () => {
    const text = await textOf({ orders }, { metrics });
    expect(linesWith(text, 'orders')).toEqual([
      '# HELP orders_open Orders "open"\\nnow',
      '# TYPE orders_open gauge',
      'orders_open{bean="orders"} 2',
      '# HELP orders_paid_bytes_total A value of a bean.',
      '# TYPE orders_paid_bytes_total counter',
      'orders_paid_bytes_total{bean="orders"} 12',
      '# HELP orders_late_ratio A value of a bean.',
      '# TYPE orders_late_ratio gauge',
      'orders_late_ratio{bean="orders"} 0.5',
      '# HELP orders_speed_bytes_per_second A value of a bean.',
      '# TYPE orders_speed_bytes_per_second gauge',
      'orders_speed_bytes_per_second{bean="orders"} 12',
      '# HELP orders_count A value of a bean.',
      '# TYPE orders_count untyped',
      'orders_count{bean="orders"} 2',
      '# orders.gone: there is nothing at this pointer',
    ]);
    expect(linesWith(text, 'later')).toEqual(['# later.size: there is no bean of that name']);
    expect(text).not.toMatch(/ \d{13}$/m);
  });

  it('has the process in every application, in base units', async () => {
    const text = await textOf({}, { application: 'shop' });
    expect(text).toMatch(/^target_info\{service_name="shop",.*service_instance_id="[^"]+-\d+".*\} 1$/m);
    for (const name of [
      'process_cpu_utilization_ratio',
      'process_memory_usage_bytes',
      'v8js_memory_heap_used_bytes',
      'v8js_memory_heap_limit_bytes',
      'nodejs_eventloop_utilization_ratio',
      'process_cpu_time_seconds_total',
      'process_uptime_seconds',
    ])
      expect(text).toMatch(new RegExp(`^${name}\\{bean="process"\\} \\d+`, 'm'));
    expect(Number(/^nodejs_eventloop_utilization_ratio.* (.*)$/m.exec(text)?.[1])).toBeLessThanOrEqual(1);
  });

  it('labels pools by their bean, and connections by state', async () => {
    const pool = { _clients: [1, 2, 3], _idle: [1], _pendingQueue: [], options: { max: 10 } };
    const labels = 'bean="a \\"two\\"\\\\",db_client_connection_pool_name="a \\"two\\"\\\\"';
    expect(linesWith(await textOf({ 'a "two"\\': pool }), 'db_client')).toEqual([
      '# HELP db_client_connection_max The most connections that a pool may have.',
      '# TYPE db_client_connection_max gauge',
      `db_client_connection_max{${labels}} 10`,
      '# HELP db_client_connection_count Connections of a pool, by their state.',
      '# TYPE db_client_connection_count untyped',
      `db_client_connection_count{${labels},db_client_connection_state="used"} 2`,
      `db_client_connection_count{${labels},db_client_connection_state="idle"} 1`,
      '# HELP db_client_connection_pending_requests Requests that wait for a connection.',
      '# TYPE db_client_connection_pending_requests gauge',
      `db_client_connection_pending_requests{${labels}} 0`,
    ]);
  });

  it('exports readings of custom views, each name once, and nothing of closed beans', async () => {
    class Queue {}
    const view: View<Queue> = {
      name: 'Queue',
      matches: (value): value is Queue => value instanceof Queue,
      readings: {
        waiting: { read: () => 3, metric: 'queue.waiting', unit: 'jobs' },
        age: { read: () => 12, metric: 'queue.age', unit: 'ms', description: 'Of the first.' },
        again: { read: () => 4, metric: 'queue_waiting' },
      },
    };
    const text = await textOf({ queue: new Queue(), hidden: new Queue() }, { views: [view as View], deny: ['hidden'] });
    expect(linesWith(text, 'queue')).toEqual([
      '# HELP queue_waiting Waiting',
      '# TYPE queue_waiting gauge',
      'queue_waiting{bean="queue"} 3',
      '# HELP queue_age_milliseconds Of the first.',
      '# TYPE queue_age_milliseconds gauge',
      'queue_age_milliseconds{bean="queue"} 12',
    ]);
    expect(text).not.toContain('hidden');
  });

  it('is the text format that every Prometheus reads, whatever Accept says', async () => {
    const answer = await (await serve({}))('application/openmetrics-text; version=1.0.0, text/plain;q=0.5');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
  });
});

describe('the option metrics', () => {
  it.each<[unknown]>([
    [['a']],
    [{ 'a b': {} }],
    [{ a: 1 }],
    [{ a: { at: '/x' } }],
    [{ a: { bean: 'b' } }],
    [{ a: { bean: 'b', at: '/x', reading: 'y' } }],
    [{ a: { bean: 'b', at: 'x' } }],
    [{ a: { bean: 'b', reading: '' } }],
    [{ a: { bean: 'b', at: '', type: 'histogram' } }],
    [{ a: { bean: 'b', at: '', unit: 'µs' } }],
    [{ a: { bean: 'b', at: '', description: 1 } }],
    [{ a: { bean: 'b', at: '', pointer: '/x' } }],
  ])('refuses %j', (given) => {
    const rule = 'The option metrics of beanInspection must be metrics by name such as { "orders.open": ';
    expect(() => beanInspection({}, { metrics: given as MetricOptions })).toThrow(rule);
  });
});
