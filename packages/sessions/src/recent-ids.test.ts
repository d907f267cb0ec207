import { expect, it } from 'vitest';
import { RecentIds } from './recent-ids.ts';

it('remembers what is asked for again and again, and never more than two generations', () => {
  const recent = new RecentIds();
  const used = { id: 'used', signed: 'used.signature', sent: 0 };
  recent.add(used);
  recent.add({ id: 'once', signed: 'once.signature', sent: 0 });
  for (let index = 0; index < 10_000; index += 1) {
    recent.add({ id: `${index}`, signed: `${index}.signature`, sent: 0 });
    if (index % 100 === 0) expect(recent.find('used.signature')).toBe(used);
  }
  expect(recent.find('once.signature')).toBeUndefined();
  expect(recent.size).toBeLessThanOrEqual(4096);
});
