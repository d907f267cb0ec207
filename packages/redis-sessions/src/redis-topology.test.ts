import { createClient, createCluster } from '@redis/client';
import { describe, expect, it } from 'vitest';
import { sharedClass } from './redis-topology.ts';

describe('clients of Redis', () => {
  it.each([
    ['one server', (port: number) => createClient({ ...sharedClass, socket: { port } })],
    ['a cluster', (port: number) => createCluster({ ...sharedClass, rootNodes: [{ socket: { port } }] })],
  ])('of %s share a class, whatever their hosts are', (_kind, create) => {
    expect(create(7001).constructor).toBe(create(7002).constructor);
  });
});
