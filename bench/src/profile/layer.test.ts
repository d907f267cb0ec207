import { describe, expect, it } from 'vitest';
import { layerOf } from './layer.ts';

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
    ['check', 'packages/bean-inspection/src/access/access.ts', false, 'bean inspection: routes and access'],
    ['bean', 'packages/bean-inspection/src/bean-controller.ts', false, 'bean inspection: routes and access'],
    ['write', 'packages/inspect/src/compiled/compile.ts', false, 'bean inspection: walk and writers'],
    ['chunks', 'packages/inspect/src/inspect.ts', false, 'bean inspection: walk and writers'],
  ])('finds %s of %s', (name, source, isNative, layer) => {
    expect(layerOf({ name, source, isNative })).toBe(layer);
  });
});
