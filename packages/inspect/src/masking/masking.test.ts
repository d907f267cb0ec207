import { describe, expect, it } from 'vitest';
import { shown } from '../../test-fixtures/shown.ts';
import { LearnedTexts } from './learned-texts.ts';
import { Masking, type MaskingOptions } from './masking.ts';
import { allSecret, noSecret, textsAndNumbersSecret, textsSecret } from './secret-key.ts';
import { maskMark as mask, SecretFinder } from './secrets.ts';

const neverAsked = () => {
  throw new Error('the path of an entry is not needed');
};

describe('a rule of the application', () => {
  it.each<[MaskingOptions, string, number]>([
    [{ mask: ['total'] }, 'total', allSecret],
    [{ mask: ['total'] }, 'Total', allSecret],
    [{ mask: ['total'] }, 'subtotal', noSecret],
    [{ mask: 'total' }, 'total', allSecret],
    [{ mask: ['*total'] }, 'subTotal', allSecret],
    [{ mask: ['a.b*'] }, 'a.bc', allSecret],
    [{ mask: ['a.b*'] }, 'axbc', noSecret],
    [{ mask: [/^iban$/] }, 'iban', allSecret],
    [{ mask: [/^iban$/] }, 'IBAN', noSecret],
    [{ mask: [/y/g] }, 'y', allSecret],
    [{ mask: ['/a/b'] }, 'b', allSecret],
    [{ mask: ['/b'] }, 'b', noSecret],
    [{ reveal: ['token'] }, 'token', noSecret],
    [{ reveal: ['*Token'] }, 'csrfToken', noSecret],
    [{ reveal: ['*Token'] }, 'tokens', textsSecret],
    [{ reveal: [/^csrf/] }, 'csrfToken', noSecret],
    [{ reveal: ['/a/b'] }, 'token', noSecret],
    [{ reveal: ['/b'] }, 'token', textsSecret],
    [{ reveal: ['token'], mask: ['token'] }, 'token', allSecret],
    [{}, 'pin', textsAndNumbersSecret],
  ])('%o makes %s as secret as %s', (options, key, secrecy) => {
    const masking = new Masking(options);
    // Twice, since a pattern may remember where it ended.
    for (const _ of [1, 2]) expect(masking.secrecyOf(key, () => '/a/b')).toBe(secrecy);
  });

  it('needs paths only where it is a pointer or a function', () => {
    for (const mask of [['/a'], () => false]) expect(new Masking({ mask }).needsPaths).toBe(true);
    expect(new Masking({ reveal: ['/a'] }).needsPaths).toBe(true);
    const others = new Masking({ reveal: ['token', /x/], mask: ['a*', /y/g], secrets: ['hunter22'] });
    expect(others.needsPaths).toBe(false);
    expect(others.secrecyOf('password', neverAsked)).toBe(textsAndNumbersSecret);
    expect(others.hidesEntry('a', 1, neverAsked)).toBe(false);
    expect(new Masking({ reveal: ['/a'] }).secrecyOf('a', neverAsked)).toBe(noSecret);
  });

  it('that is a function is asked once for each entry with its path, and hides the entry when it throws', () => {
    const seen: string[] = [];
    const mask = ({ path, key, value }: { path: string; key: string; value: unknown }): boolean => {
      seen.push(path);
      if (key === 'odd') throw new Error('no rule');
      return value === 'hide me';
    };
    const bean = { a: { 'b/c': 'hide me' }, odd: 1, list: ['hide me', 'show me'] };
    const masked = { a: { 'b/c': '******' }, odd: '******', list: ['******', 'show me'] };
    expect(shown(bean, { mask })).toEqual(masked);
    expect(seen).toEqual(['/a', '/a/b~1c', '/odd', '/list', '/list/0', '/list/1']);
    const masking = new Masking({ mask: ({ path, key, value }) => path === '/a/b' && key === '5' && value === 1 });
    expect(masking.hidesEntry(5, 1, () => '/a/b')).toBe(true);
    expect(masking.hidesEntry(5, 2, () => '/a/b')).toBe(false);
    expect(masking.hidesEntry(5, 1, neverAsked)).toBe(true);
  });
});

describe('masking', () => {
  it('passes on what a container inherits, unless an entry is a setting or revealed', () => {
    const masking = new Masking({ reveal: ['region'] });
    expect(masking.secrecyOf('id', neverAsked, textsSecret)).toBe(textsSecret);
    expect(masking.secrecyOf(0, neverAsked, textsSecret)).toBe(textsSecret);
    expect(masking.secrecyOf('pin', neverAsked, textsSecret)).toBe(textsAndNumbersSecret);
    expect(masking.secrecyOf('token', neverAsked, textsAndNumbersSecret)).toBe(textsAndNumbersSecret);
    expect(masking.secrecyOf('region', neverAsked, textsSecret)).toBe(noSecret);
    expect(masking.secrecyOf('path', neverAsked, textsSecret)).toBe(noSecret);
  });

  it('accepts known secrets as texts or as a shared finder', () => {
    const finder = new SecretFinder(['hunter22']);
    expect(new Masking({ secrets: finder }).secrets).toBe(finder);
    const masking = new Masking({ secrets: ['hunter22', '12345678'] });
    expect(masking.text('hunter22 http://a@hunter22')).toBe('****** http://******@******');
    expect(masking.key('hunter22')).toBe(mask);
    expect([masking.hidesNumber(12345678), masking.hidesNumber(1)]).toEqual([true, false]);
    expect(masking.bytes(Buffer.from('hunter22'), neverAsked)).toBe(mask);
    expect(masking.bytes(Buffer.from('hunter23'), () => 'shown')).toBe('shown');
    const line = `AKIAIOSFODNN7EXAMPLE:${'a/B1'.repeat(10)}`;
    expect(new Masking({ secrets: ['AKIAIOSFODNN7EXAMPLE'] }).text(line)).toBe('******:******');
  });
});

it('learned texts are within others that have all of them', () => {
  const learned = (...all: readonly string[]) => {
    const result = new LearnedTexts();
    for (const text of all) result.add(text);
    return result;
  };
  expect(learned('hunter22').isWithin(learned('hunter22', 'correct horse'))).toBe(true);
  expect(learned('hunter22', 'correct horse').isWithin(learned('hunter22'))).toBe(false);
  expect(learned().isWithin(learned())).toBe(true);
});
