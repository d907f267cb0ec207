import { expect, it } from 'vitest';
import { SessionIds } from './session-ids.ts';

it('never gives the same id twice, each of 256 bits', () => {
  const ids = new SessionIds();
  const given = Array.from({ length: 1000 }, () => ids.next());
  expect(new Set(given).size).toBe(1000);
  for (const id of given) {
    expect(id).toMatch(/^[\w-]{43}$/);
    expect(Buffer.from(id, 'base64url').filter((byte) => byte !== 0).length).toBeGreaterThan(16);
  }
});
