import { Signer } from '@fastify/cookie';
import { expect, it } from 'vitest';
import { RecentIds, SessionIds } from './session-cookie.ts';

it('SessionIds never gives the same id twice, each of 256 bits and signed', () => {
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

it('RecentIds keeps the 100,000 ids that are used most recently, and at most twice as many', () => {
  const recent = new RecentIds();
  const used = { id: 'used', signed: 'used.signature', sent: 0 };
  recent.add(used);
  recent.add({ id: 'once', signed: 'once.signature', sent: 0 });
  let most = 0;
  for (let index = 0; index < 300_000; index += 1) {
    recent.add({ id: `${index}`, signed: `${index}.signature`, sent: 0 });
    most = Math.max(most, recent.size);
    if (index % 10_000 === 0) expect(recent.find('used.signature')).toBe(used);
  }
  expect(most).toBe(200_000);
  expect(recent.find('once.signature')).toBeUndefined();
  const found = Array.from({ length: 100_000 }, (_, index) => recent.find(`${299_999 - index}.signature`));
  expect(found.filter((id) => id === undefined)).toEqual([]);
});
