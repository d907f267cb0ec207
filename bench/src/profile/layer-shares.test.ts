import type { Profiler } from 'node:inspector';
import { describe, expect, it } from 'vitest';
import { heaviestFunctions, layerOf, layerShares, selfTimes } from './layer-shares.ts';

function node(id: number, functionName: string, url: string, hitCount: number, children: number[] = []) {
  const scriptId = url === '' && functionName !== 'generated' ? '0' : '7';
  return { id, hitCount, children, callFrame: { functionName, scriptId, url, lineNumber: id, columnNumber: 0 } };
}

const profile: Profiler.Profile = {
  startTime: 0,
  endTime: 1,
  nodes: [
    node(1, '(root)', '', 0, [2, 3, 4]),
    node(2, '(idle)', '', 1000),
    node(3, '(garbage collector)', '', 5),
    node(4, 'emit', 'node:events', 10, [5, 6]),
    node(5, 'writev', '', 50),
    node(6, 'route', '/bundle.js', 10, [7, 8]),
    node(7, 'generated', '', 15),
    node(8, 'emit', 'node:events', 10),
  ],
};

const times = selfTimes(profile, (url, line) => (url.startsWith('node:') ? url : `packages/clock/src/line-${line}.ts`));

describe('selfTimes', () => {
  it('gives a function without a source the source of its caller', () => {
    expect(times).toContainEqual({ name: 'writev', source: 'node:events', isNative: true, samples: 50 });
    expect(times).toContainEqual({
      name: 'generated',
      source: 'packages/clock/src/line-6.ts',
      isNative: false,
      samples: 15,
    });
  });

  it('leaves out idle time', () => expect(times.map(({ name }) => name)).not.toContain('(idle)'));
});

describe('layerShares', () => {
  it('divides all samples that are not idle among the layers', () => {
    const shares = Object.fromEntries(layerShares(times).map(({ layer, share }) => [layer, share]));
    expect(shares).toMatchObject({
      'writing to sockets': 0.5,
      'Node: http, streams, timers': 0.2,
      clock: 0.25,
      'garbage collection': 0.05,
      Fastify: 0,
    });
  });
});

describe('heaviestFunctions', () => {
  it('adds up the samples of a function that has several callers', () => {
    expect(heaviestFunctions(times, 2)).toEqual([
      { name: 'writev', source: 'node:events', layer: 'writing to sockets', share: 0.5 },
      { name: 'emit', source: 'node:events', layer: 'Node: http, streams, timers', share: 0.2 },
    ]);
  });
});

describe('layerOf', () => {
  it.each([
    ['writev', 'node:internal/stream_base_commons', true, 'writing to sockets'],
    ['getLibuvNow', 'node:internal/timers', true, 'Node: http, streams, timers'],
    ['emit', 'node:events', false, 'Node: http, streams, timers'],
    ['(program)', '', true, 'native code: reading sockets, parsing HTTP'],
    ['(garbage collector)', '', true, 'garbage collection'],
    ['routeHandler', 'node_modules/find-my-way/index.js', false, 'Fastify'],
    ['read', 'node_modules/@fastify/cookie/plugin.js', false, 'Fastify'],
    ['child', 'node_modules/pino/lib/proto.js', false, 'other libraries'],
    ['#use', 'packages/sessions/src/memory-session-store.ts', false, 'sessions'],
    ['securityHeadersFor', 'packages/application/src/http/security-headers.ts', false, 'host'],
    ['main', 'service/dist/main.js', false, 'host'],
    ['show', 'packages/clock/src/page/page.ts', false, 'clock'],
    ['check', 'packages/bean-inspection/src/access.ts', false, 'bean inspection: routes and access'],
    ['bean', 'packages/bean-inspection/src/bean-controller.ts', false, 'bean inspection: routes and access'],
    ['write', 'packages/inspect/src/writer/writer.ts', false, 'bean inspection: walk and writers'],
    ['chunks', 'packages/inspect/src/inspect.ts', false, 'bean inspection: walk and writers'],
  ])('%s of %s (native: %s) belongs to the layer "%s"', (name, source, isNative, layer) => {
    expect(layerOf({ name, source, isNative })).toBe(layer);
  });
});
