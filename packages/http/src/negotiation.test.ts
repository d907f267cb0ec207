import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { preferredEncoding, preferredMediaType } from './negotiation.ts';

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
    ['gzip;level=9', 'gzip'],
    [';;,,q=1;', 'identity'],
  ])('of %j is %j', (header, encoding) => {
    expect(preferredEncoding(header, ['br', 'gzip'])).toBe(encoding);
  });

  it('is one of the available codings, or identity', () => {
    expect(preferredEncoding('br, gzip', ['gzip'])).toBe('gzip');
    expect(preferredEncoding('br, gzip', [])).toBe('identity');
    expect(preferredEncoding('*', ['identity'])).toBe('identity');
  });

  it('reads only the beginning of a header that is too long', () => {
    expect(preferredEncoding(`gzip,${'a,'.repeat(100_000)}br`, ['gzip', 'br'])).toBe('gzip');
  });

  it('never throws, and never returns what is not available', () => {
    const text = fc.stringMatching(/^[a-z*;=,.q01 -]{0,60}$/);
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), (header) => {
        expect([undefined, 'identity', 'br', 'gzip']).toContain(preferredEncoding(header, ['br', 'gzip']));
      }),
    );
  });
});

describe('preferredMediaType', () => {
  const available = ['application/json', 'application/xml', 'text/html'] as const;
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

  it.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/json;q=0, */*', 'application/xml'],
    ['*/*, application/json;q=0, application/xml;q=0.0', 'text/html'],
    ['application/json;q=0', undefined],
    ['*/*;q=0', undefined],
    ['*/*;q=0, text/html;q=0.001', 'text/html'],
    ['image/png', undefined],
    [browser, 'text/html'],
    ['application/xml;q=0.5, application/json;q=0.4', 'application/xml'],
    ['text/html, application/json', 'text/html'],
    ['application/json, text/html', 'application/json'],
    ['*/*, text/html', 'text/html'],
    ['text/*', 'text/html'],
    ['text/*;q=0, */*;q=0.1', 'application/json'],
    ['application/*', 'application/json'],
    ['application/*, application/json;q=0.5', 'application/xml'],
    ['APPLICATION/XML', 'application/xml'],
    ['application/xml; charset=utf-8', 'application/xml'],
    ['application/json;profile=x;q=0.5, text/html;q=0.4', 'application/json'],
    ['application/xml ; Q = 0.7, */* ; q = 0.1', 'application/xml'],
    // What cannot be read does not count; when nothing can, it is as if nothing had been said.
    ['text/html;q=nan', 'application/json'],
    ['a/b;q=2', 'application/json'],
    [';q', 'application/json'],
    [',,,', 'application/json'],
    ['*', 'application/json'],
    ['html, application/xml', 'application/xml'],
  ])('of %j is %j', (header, type) => {
    expect(preferredMediaType(header, available)).toBe(type);
  });

  it('never throws, and never returns what is not available', () => {
    const text = fc.stringMatching(/^[a-z*/;=,.q01 -]{0,60}$/);
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), (header) => {
        expect([undefined, ...available]).toContain(preferredMediaType(header, available));
      }),
    );
  });
});
