import { describe, expect, it } from 'vitest';
import { Masking } from '../masking/masking.ts';
import {
  base64Within,
  bitLength,
  shownBigInt,
  shownBytes,
  shownText,
  textUpTo,
  wholeCharacters,
} from './shown-text.ts';

const masking = new Masking({ secrets: ['hunter22', '98765432'] });

describe('a text', () => {
  it.each([
    ['0123456789', 10, '0123456789', false],
    ['0123456789', 9, '012345678[1 more]', true],
    ['01234567😀', 10, '01234567😀', false],
    ['01234567😀x', 9, '01234567[3 more]', true],
    ['01234567😀x', 10, '01234567😀[1 more]', true],
    ['it is hunter22', 20, 'it is ******', false],
    ['it is hunter22 again', 8, 'it is ******[12 more]', true],
    ['it is hunter22 again', 6, 'it is [14 more]', true],
    ['http://me:word@host/', 10, 'http://******[10 more]', true],
    ['http://me:word@host/', 16, 'http://******[4 more]', true],
    ['http://me:word@host/ and more', 21, 'http://******@host/ [8 more]', true],
    ['a http://me@b/ http://me:word@host/', 24, 'a http://******@b/ http://******[11 more]', true],
  ])('%j of %i characters is %j', (text, longest, shown, isCut) => {
    expect(shownText(text, longest, masking)).toEqual({ text: shown, isCut });
  });

  it('is cut between characters', () => {
    expect([1, 2, 3, 4].map((longest) => wholeCharacters('a😀b', longest))).toEqual([1, 1, 3, 4]);
    expect([wholeCharacters('\ud7ffa', 1), wholeCharacters('\ud800a', 1)]).toEqual([1, 0]);
    expect([wholeCharacters('\udbffa', 1), wholeCharacters('\udc00a', 1)]).toEqual([0, 1]);
    expect(textUpTo('abcdef', 3, masking)).toBe('abc');
  });
});

describe('bytes', () => {
  it.each([
    [0, '', 0],
    [1, 'AA==', 0],
    [6, 'AAAAAAAA', 0],
    [7, 'AAAAAAAA', 4],
    [30, 'AAAAAAAA', 32],
  ])('%i of them within eight characters', (count, text, left) => {
    expect(base64Within(new Uint8Array(count), 8)).toEqual({ text, left });
    expect(base64Within(new Uint8Array(count), 11)).toEqual({ text, left });
  });

  it('are those of the view alone', () => {
    const bytes = new Uint8Array([1, 2, 3, 4, 5]).subarray(1, 4);
    expect(base64Within(bytes, 100).text).toBe(Buffer.from([2, 3, 4]).toString('base64'));
  });

  it('are masked when they hold a secret that begins in what is shown', () => {
    const bytes = Buffer.from(`${'x'.repeat(60)}hunter22${'x'.repeat(400)}`);
    expect(shownBytes(bytes, 64, masking)).toEqual({ text: '******[560 more]', isCut: true });
    expect(shownBytes(Buffer.from('hunter22'), 64, masking)).toEqual({ text: '******', isCut: false });
    const far = Buffer.from(`${'x'.repeat(300)}hunter22`);
    expect(shownBytes(far, 64, masking).text).toMatch(/^(?:eHh4){16}\[348 more\]$/);
    expect(shownBytes(Buffer.from('abc'), 64, masking)).toEqual({ text: 'YWJj', isCut: false });
  });
});

describe('a BigInt', () => {
  it('is shown as a number when it has few digits', () => {
    expect(shownBigInt(10n ** 63n, 64, masking)).toBeUndefined();
    expect(shownBigInt(10n ** 64n, 64, masking)).toEqual({ text: `1${'0'.repeat(63)}[1 more]`, isCut: true });
    const secret = BigInt(`98765432${'0'.repeat(64)}`);
    expect(shownBigInt(secret, 64, masking)).toEqual({ text: `******${'0'.repeat(56)}[8 more]`, isCut: true });
  });

  it('is shown in hexadecimal when it has too many', () => {
    const long = 0xabcdefn << 40_000n;
    const digits = 6 + 10_000;
    expect(shownBigInt(long, 64, masking)).toEqual({
      text: `0xabcdef${'0'.repeat(56)}[9,944 more]`,
      isCut: true,
    });
    expect(shownBigInt(-long, 64, masking)).toEqual({
      text: `-0xabcdef${'0'.repeat(55)}[9,945 more]`,
      isCut: true,
    });
    expect(shownBigInt(long, digits + 2, masking)).toEqual({ text: `0x${long.toString(16)}`, isCut: false });
    expect(shownBigInt(long, digits + 1, masking)?.isCut).toBe(true);
  });

  it('has bits', () => {
    expect([0n, 1n, 2n, 3n, 4n, 255n, 256n, (1n << 40_000n) - 1n, 1n << 40_000n].map(bitLength)).toEqual([
      1, 1, 2, 2, 3, 8, 9, 40_000, 40_001,
    ]);
  });
});
