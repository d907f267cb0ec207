import { describe, expect, it } from 'vitest';
import { SecretFinder, Secrets } from './secrets.ts';

const knowing = (...values: string[]) => {
  const secrets = new Secrets();
  for (const value of values) secrets.add(value);
  return secrets;
};

describe('secrets', () => {
  it.each<[string, string[], string, string]>([
    ['the longest first', ['hunter22', 'hunter22-and-more'], 'a hunter22 b hunter22-and-more', 'a ****** b ******'],
    ['in an address', ['p@ss"w/rd\n'], 'pg://u:p%40ss%22w%2Frd%0A@h', 'pg://u:******@h'],
    ['in a form', ['p@ss word'], 'a=p%40ss+word&b', 'a=******&b'],
    ['in JSON', ['p@ss"w/rd\n'], '{"text":"p@ss\\"w/rd\\n"}', '{"text":"******"}'],
    ['in JSON in JSON', ['p@ss"w/rd'], '"{\\"a\\":\\"p@ss\\\\\\"w/rd\\"}"', '"{\\"a\\":\\"******\\"}"'],
    ['that no URL can hold', ['hunter\ud800'], 'a hunter\ud800 b', 'a ****** b'],
    ['with signs of patterns', ['a.*[x]+(b)|\\^$'], 'a.*[x]+(b)|\\^$ and axxxxb', '****** and axxxxb'],
    ['of six characters at least', ['abcde'], 'abcde', 'abcde'],
    ['in the text alone', ['hunter22'], 'anything', 'anything'],
  ])('are masked %s', (_, values, text, shown) => {
    expect(knowing(...values).mask(text)).toBe(shown);
  });

  it('are counted once each, share a finder until one is added, and are not shown', () => {
    const secrets = knowing('p@ss"w/rd', 'p@ss"w/rd', 'sixsix', 'five5');
    expect(secrets.count).toBe(2);
    expect(secrets.finder()).toBe(secrets.finder());
    expect([JSON.stringify(secrets), Object.keys(secrets)]).toEqual(['{"count":2}', []]);
    secrets.add('another');
    expect([secrets.mask('p@ss"w/rd another'), secrets.count]).toEqual(['****** ******', 3]);
  });

  it('are found in bytes, within the bounds of a view only', () => {
    const finder = new SecretFinder(['hunt\u00e9r22']);
    const bytes = Buffer.from('..hunt\u00e9r22..');
    expect(finder.isInBytes(bytes)).toBe(true);
    expect(finder.isInBytes(new Uint8Array(bytes).subarray(2, 11))).toBe(true);
    expect(finder.isInBytes(new Uint8Array(bytes).subarray(3, 11))).toBe(false);
    expect(new SecretFinder([]).isInBytes(bytes)).toBe(false);
  });
});

describe('a line of a log', () => {
  const secrets = knowing('hunter22', '4711081547', '"a":1,"b"', 'said "no"\n', '{"type":"account"}');

  it.each([
    ['{"msg":"nothing \\"here\\""}\n', '{"msg":"nothing \\"here\\""}\n'],
    ['{"msg":"it is hunter22"}\n', '{"msg":"it is ******"}\n'],
    ['{"a hunter22":"\\"hunter22\\""}\n', '{"a ******":"\\"******\\""}\n'],
    ['{"msg":"he said \\"no\\"\\n"}\n', '{"msg":"he ******"}\n'],
    ['{"level":30,"a":1,"b":2}\n', '{"level":30,"msg":"{\\"level\\":30,******:2}"}\n'],
    ['{"a":1,"b":2}\n', '{"level":50,"msg":"{******:2}"}\n'],
    ['{"level":40,"n":4711081547}\n', '{"level":40,"msg":"{\\"level\\":40,\\"n\\":******}"}\n'],
    ['{"level":40,"value":{"type":"account"}}\n', '{"level":40,"msg":"{\\"level\\":40,\\"value\\":******}"}\n'],
    ['{"a":2,"b":1}\n', '{"a":2,"b":1}\n'],
  ])('stays JSON: %j is %j', (line, shown) => {
    expect(secrets.maskJsonLine(line)).toBe(shown);
    JSON.parse(shown);
  });
});
