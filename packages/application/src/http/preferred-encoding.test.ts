import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { preferredEncoding } from './preferred-encoding.ts';

describe('preferredEncoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['deflate', 'identity'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br ; q = 0.001', 'br'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['*;q=0.5, gzip', 'gzip'],
    ['*;q=0, gzip', 'gzip'],
    ['gzip, *;q=0', 'gzip'],
    ['identity', 'identity'],
    ['identity, gzip;q=0.5', 'identity'],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0', undefined],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=0, *', 'br'],
    ['*;q=0, identity', 'identity'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=2', 'identity'],
    ['gzip;q=-1', 'identity'],
    ['gzip;level=9', 'identity'],
    [';;,,q=1;', 'identity'],
  ])('of %j is %j', (header, encoding) => {
    expect(preferredEncoding(header, ['br', 'gzip'])).toBe(encoding);
  });

  it('is what there is, when there is little', () => {
    expect(preferredEncoding('br, gzip', ['gzip'])).toBe('gzip');
    expect(preferredEncoding('br, gzip', [])).toBe('identity');
    expect(preferredEncoding('*', ['identity'])).toBe('identity');
  });

  it('is identity for a header beyond all measure', () => {
    expect(preferredEncoding('gzip,'.repeat(100_000), ['gzip'])).toBe('identity');
  });

  it('never throws, and never names what is not there', () => {
    const text = fc.stringMatching(/^[a-z*;=,.q01 -]{0,60}$/);
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), (header) => {
        expect([undefined, 'identity', 'br', 'gzip']).toContain(preferredEncoding(header, ['br', 'gzip']));
      }),
    );
  });
});
