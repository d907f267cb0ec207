import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { glance } from '@jig/inspect';
import { describe, expect, it, vi } from 'vitest';
import { toBeanSource } from './plain.ts';
import { ProcessBean, processBean, processView, withProcess } from './process.ts';

const readingsOf = (bean: ProcessBean) => {
  const told = glance(bean, { views: [processView] });
  return Object.fromEntries((told?.readings ?? []).map(({ name, value, fault }) => [name, fault ?? value]));
};

describe('the bean process', () => {
  it('shows what needs no measuring, and measures nothing by itself', () => {
    const bean = new ProcessBean();
    const readings = readingsOf(bean);
    expect(readings).toMatchObject({ cpu: expect.any(Number), residentMemory: expect.any(Number) });
    expect(readings.eventLoopDelayP99).toBeUndefined();
    expect(readings.garbageCollection).toBeUndefined();
  });

  it('shows all clients the same interval, however often they ask', async () => {
    let now = 0;
    const bean = new ProcessBean(() => now);
    bean.measure();
    // The first sample is only the beginning of the next one.
    await pause(250);
    const end = performance.now() + 300;
    while (performance.now() < end);
    await pause(50);
    now += 950;
    const first = bean.toJSON();
    expect(first.eventLoopDelay?.maximum).toBeGreaterThan(150);
    expect(first.eventLoopDelay?.percentile99).toBeGreaterThan(150);
    now += 949;
    await pause(50);
    expect(bean.toJSON()).toMatchObject({ eventLoopDelay: first.eventLoopDelay, cpu: { percent: first.cpu.percent } });
    now += 1;
    expect(bean.toJSON().eventLoopDelay?.maximum).not.toBe(first.eventLoopDelay?.maximum);
  });

  it('shows how much time garbage collection takes', async () => {
    let now = 0;
    const bean = new ProcessBean(() => now);
    bean.measure();
    await vi.waitFor(
      () => {
        Array.from({ length: 200_000 }, (_, index) => ({ index }));
        expect(bean.toJSON().garbageCollection?.seconds).toBeGreaterThan(0);
      },
      { interval: 1 },
    );
    now += 1000;
    expect(bean.toJSON().garbageCollection?.percent).toBeGreaterThanOrEqual(0);
    expect(readingsOf(bean)).toMatchObject({ garbageCollection: expect.any(Number), upTime: expect.any(Number) });
  });

  it('masks the environment, except variables of Node', async () => {
    vi.stubEnv('SOME_CREDS', 'hunter22-hunter22');
    vi.stubEnv('NODE_ENV', 'testing');
    expect(new ProcessBean().toJSON().environment).toMatchObject({ SOME_CREDS: '******', NODE_ENV: 'testing' });
    vi.unstubAllEnvs();
  });

  it('counts active handles', async () => {
    const { createServer } = await import('node:net');
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    expect(new ProcessBean().toJSON().handles.TCPServerWrap).toBeGreaterThan(0);
    server.close();
  });
});

describe('a source with the bean process', () => {
  it('lists it last, and returns it', async () => {
    const source = withProcess(toBeanSource({ orders: {} }));
    expect(source.describe().map(({ name }) => name)).toEqual(['orders', 'process']);
    expect([source.has('process'), source.has('orders'), source.has('no')]).toEqual([true, true, false]);
    expect(source.peek('process')?.value).toBe(processBean());
    expect((await source.get('process', undefined)).value).toBe(processBean());
  });

  it('keeps a bean of that name that the source has', async () => {
    const own = {};
    const source = withProcess(toBeanSource({ process: own }));
    expect(source.describe()).toHaveLength(1);
    expect(source.peek('process')?.value).toBe(own);
    expect((await source.get('process', undefined)).value).toBe(own);
  });
});
