import { Signer } from '@fastify/cookie';
import { expect, it } from 'vitest';
import { SessionIds } from './session-ids.ts';

it('never gives the same id twice, each of 256 bits and signed', () => {
  const signer = new Signer('a secret');
  const ids = new SessionIds(signer);
  const given = Array.from({ length: 1000 }, () => ids.next());
  expect(new Set(given.map(({ id }) => id)).size).toBe(1000);
  for (const { id, signed } of given) {
    expect(id).toMatch(/^[\w-]{43}$/);
    expect(Buffer.from(id, 'base64url').filter((byte) => byte !== 0).length).toBeGreaterThan(16);
    expect(signer.unsign(signed)).toMatchObject({ valid: true, value: id });
  }
});
