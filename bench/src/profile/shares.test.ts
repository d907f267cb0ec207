import type { Profiler } from 'node:inspector';
import { describe, expect, it } from 'vitest';
import { selfTimes } from './self-time.ts';
import { heaviestFunctions, layerShares } from './shares.ts';

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

const times = selfTimes(profile, (address, line) =>
  address.startsWith('node:') ? address : `packages/clock/src/line-${line}.ts`,
);

describe('selfTimes', () => {
  it('counts each function by itself, and those without a source of their own where they were called from', () => {
    expect(times).toContainEqual({ name: 'writev', source: 'node:events', isNative: true, samples: 50 });
    expect(times).toContainEqual({
      name: 'generated',
      source: 'packages/clock/src/line-6.ts',
      isNative: false,
      samples: 15,
    });
  });

  it('leaves waiting out', () => expect(times.map(({ name }) => name)).not.toContain('(idle)'));
});

describe('layerShares', () => {
  it('divides all the time at work among the layers', () => {
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
  it('adds up what a function took wherever it was called from', () => {
    expect(heaviestFunctions(times, 2)).toEqual([
      { name: 'writev', source: 'node:events', layer: 'writing to sockets', share: 0.5 },
      { name: 'emit', source: 'node:events', layer: 'Node: http, streams, timers', share: 0.2 },
    ]);
  });
});
