import { expect, it } from 'vitest';
import { formatAddress, parseAddress } from './address.ts';

it('takes an address, and shows it without user and password', () => {
  expect(formatAddress(parseAddress('rediss://me:100%25@example.org/2'))).toBe('rediss://example.org:6379/2');
});

it.each([
  ['http://localhost', 'must begin with redis://'],
  ['redis://localhost/name', 'the number of a database'],
  ['redis://me:100%@localhost', 'a % that is no escape'],
  ['redis://100%:open-sesame@localhost', 'a % that is no escape'],
])('refuses %s', (address, why) => {
  expect(() => parseAddress(address)).toThrow(
    expect.objectContaining({ code: 'JIG_REDIS_ADDRESS_INVALID', message: expect.stringContaining(why) }),
  );
});
