import { describe, expect, it } from 'vitest';
import { isLoopback } from './local-requests.ts';

describe('isLoopback', () => {
  it.each([
    '127.0.0.1',
    '127.255.1.2',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::FFFF:127.9.9.9',
    '::ffff:7f00:1',
  ])('knows %s', (address) => expect(isLoopback(address)).toBe(true));

  it.each([
    undefined,
    '',
    '128.0.0.1',
    '10.127.0.1',
    '::2',
    '::ffff:10.0.0.1',
    '127.1',
    '127.evil.example',
    '0x7f.0.0.1',
  ])('does not take %s for one', (address) => expect(isLoopback(address)).toBe(false));
});
