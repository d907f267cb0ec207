import { describe, expect, it } from 'vitest';
import { maskMark, SecretFinder, Secrets } from './secrets.ts';

describe('Secrets', () => {
  it('masks every secret wherever it occurs, the longest first', () => {
    const secrets = new Secrets();
    secrets.add('hunter22');
    secrets.add('hunter22-and-more');
    expect(secrets.mask('a hunter22 b hunter22-and-more c')).toBe('a ****** b ****** c');
  });

  it('masks the forms that a secret takes in an address and in JSON', () => {
    const secrets = new Secrets();
    secrets.add('p@ss"w/rd\n');
    expect(secrets.mask(`postgres://u:${encodeURIComponent('p@ss"w/rd\n')}@h`)).toBe('postgres://u:******@h');
    expect(secrets.mask(JSON.stringify({ text: 'p@ss"w/rd\n' }))).toBe('{"text":"******"}');
  });

  it('counts each secret once, and creates the finder only once', () => {
    const secrets = new Secrets();
    secrets.add('p@ss"w/rd');
    secrets.add('p@ss"w/rd');
    expect(secrets.count).toBe(1);
    expect(secrets.finder()).toBe(secrets.finder());
  });

  it('accepts any text, even one that no URL can hold', () => {
    const secrets = new Secrets();
    secrets.add('hunter\ud800');
    expect(secrets.mask('a hunter\ud800 b')).toBe('a ****** b');
  });

  it('treats characters of regular expressions literally', () => {
    const secrets = new Secrets();
    secrets.add('a.*[x]+(b)|\\^$');
    expect(secrets.mask('a.*[x]+(b)|\\^$ and axxxxb')).toBe('****** and axxxxb');
  });

  it('returns a text without secrets unchanged, and ignores secrets that are too short', () => {
    const secrets = new Secrets();
    expect(secrets.mask('anything')).toBe('anything');
    secrets.add('abc');
    expect(secrets.mask('abc')).toBe('abc');
    expect(secrets.count).toBe(0);
  });

  it('shows no secret when it is inspected itself', () => {
    const secrets = new Secrets();
    secrets.add('hunter22');
    expect(JSON.stringify(secrets)).toBe('{}');
    expect(Object.keys(secrets)).toEqual([]);
  });

  it('masks a line of JSON so that it stays JSON, also where a secret is made of several values', () => {
    const secrets = new Secrets();
    for (const secret of ['nick-secret', 'said "no"\n', '{"type":"account"}', '4711081547']) secrets.add(secret);
    const line = (value: unknown) => `${JSON.stringify({ level: 40, time: 1, value })}\n`;
    const masked = (value: unknown) => secrets.maskJsonLine(line(value));
    expect(masked('nothing "here"\n')).toBe(line('nothing "here"\n'));
    expect(JSON.parse(masked('a\nick-secret b'))).toHaveProperty('level', 40);
    expect(masked('a\\nick-secret b')).toBe(line('a\\****** b'));
    expect(masked('he said "no"\n')).toBe(line('he ******'));
    expect(masked({ 'nick-secret': 4711081547, other: [1.5, -0, 'x'] })).toBe(
      line({ '******': '******', other: [1.5, 0, 'x'] }),
    );
    expect(masked(JSON.stringify({ inner: 'said "no"\n' }))).toBe(line('{"inner":"******"}'));
    const whole = masked({ type: 'account' });
    expect(whole).not.toContain('account');
    expect(JSON.parse(whole)).toEqual({ level: 40, msg: '{"level":40,"time":1,"value":******}' });
  });
});

describe('SecretFinder', () => {
  it('looks for secrets of at least six characters, each once', () => {
    const finder = new SecretFinder(['12345', 'hunter', 'hunter', 'hunter-22']);
    expect(finder.mask('12345 hunter hunter-22')).toBe('12345 ****** ******');
    expect([finder.shortest, finder.longest]).toEqual([6, 9 * 16]);
    const nothing = new SecretFinder(['12345']);
    expect(new SecretFinder(['\u00a0\u00a0 abc \u00a0']).mask('an abc')).toBe('an abc');
    expect([nothing.shortest, nothing.longest, nothing.isIn('12345'.repeat(100))]).toEqual([Infinity, 0, false]);
  });

  it.each([6, 7, 12, 19, 20, 40])('finds a secret of %i characters at any place of a text', (length) => {
    const secret = Array.from({ length }, (_, index) => String.fromCharCode(0x21 + index)).join('');
    const finder = new SecretFinder([secret]);
    for (let before = 0; before < 40; before++) {
      const text = `${'x'.repeat(before)}${secret}y`;
      expect(finder.mask(text)).toBe(`${'x'.repeat(before)}******y`);
      expect([finder.isIn(text), finder.isWrittenIn(text)]).toEqual([true, true]);
      expect(finder.isIn(`${text.slice(0, -2)}y${secret.slice(1)}`)).toBe(false);
    }
  });

  it('finds each of many secrets, also those that begin alike', () => {
    const secrets = Array.from({ length: 500 }, (_, index) => `begin-alike-${String(index).padStart(3, '0')}-end`);
    const finder = new SecretFinder(secrets);
    for (const secret of secrets) expect(finder.mask(`it is ${secret}.`)).toBe('it is ******.');
    expect(finder.isIn('begin-alike-500-end')).toBe(false);
  });

  it('masks secrets that overlap, or hold one another, as one', () => {
    const finder = new SecretFinder(['abcdefgh', 'efghijkl', 'bcdefg', 'nopqrst']);
    expect(finder.mask('.abcdefghijklmnopqrst.')).toBe('.******m******.');
    expect(finder.mask('abcdefghabcdefgh')).toBe('************');
  });

  it('masks up to an end what begins before it', () => {
    const finder = new SecretFinder(['hunter22']);
    const text = '0123hunter22 and hunter22';
    const shown = [3, 4, 5, 11, 12, 13, 17, 18, 25, 99].map((end) => finder.mask(text, end));
    expect(shown).toEqual([
      '012',
      '0123',
      '0123******',
      '0123******',
      '0123******',
      '0123****** ',
      '0123****** and ',
      '0123****** and ******',
      '0123****** and ******',
      '0123****** and ******',
    ]);
    expect(finder.mask('no secret at all', 9)).toBe('no secret');
    const escaped = `0123${Buffer.from('hunter22').toString('hex').replace(/../g, '%25$&')}`;
    expect(finder.mask(escaped, 8)).toBe('0123******');
  });

  it.each([
    ['12345678', 12345678, true],
    ['12345678', 9123456780, true],
    ['12345678', 12345678n, true],
    ['12345678', 1234567, false],
    ['-1.5e+30', -1.5e30, true],
    ['12345678x', 12345678, false],
    ['hunter22', 12345678, false],
  ])('with %s, tells whether it is in the number %s', (secret, number, isIn) => {
    expect(new SecretFinder([secret]).isInNumber(number)).toBe(isIn);
  });

  it('may find a number when one of the secrets is one', () => {
    const hasNumbers = (...secrets: string[]) => new SecretFinder(secrets).hasNumbers;
    expect([
      hasNumbers('hunter22'),
      hasNumbers('hunter22', '123456'),
      hasNumbers('a123456'),
      hasNumbers('123456a'),
    ]).toEqual([false, true, false, false]);
  });
});

describe('bytes', () => {
  const utf32 = (text: string) =>
    Buffer.from(Uint32Array.from(Array.from(text), (character) => character.codePointAt(0) ?? 0).buffer);
  const encodings: Readonly<Record<string, (text: string) => Buffer>> = {
    'UTF-8': (text) => Buffer.from(text),
    'UTF-16': (text) => Buffer.from(text, 'utf16le'),
    'UTF-16, big end first': (text) => Buffer.from(text, 'utf16le').swap16(),
    'UTF-32': utf32,
    'UTF-32, big end first': (text) => utf32(text).swap32(),
    base64: (text) => Buffer.from(Buffer.from(text).toString('base64')),
    'percent-encoding': (text) => Buffer.from(encodeURIComponent(text)),
  };
  const cases = Object.entries(encodings).flatMap(([name, encode]) =>
    ['hunter22', 'huntér22', 'hunter€22', 'hunter😀22'].map((secret) => ({ name, encode, secret })),
  );

  it.each(cases)('of $secret in $name are found at any place', ({ encode, secret }) => {
    const finder = new SecretFinder([secret]);
    for (const count of [0, 1, 2, 3, 4, 5]) {
      const around = Buffer.alloc(count, 0xff);
      expect(finder.isInBytes(Buffer.concat([around, encode(secret)]))).toBe(true);
      if (count > 0) expect(finder.isInBytes(Buffer.concat([encode(secret), around]))).toBe(true);
    }
    expect(finder.isInBytes(encode(secret.slice(1)))).toBe(false);
    expect(finder.isInBytes(encode(`x${secret.slice(1)}x`))).toBe(false);
  });

  it('are found as Latin-1, and within the view alone', () => {
    const finder = new SecretFinder(['huntér22']);
    const bytes = Buffer.from('..huntér22..', 'latin1');
    expect(finder.isInBytes(bytes)).toBe(true);
    const { buffer, byteOffset } = new Uint8Array(bytes);
    expect(finder.isInBytes(new Uint8Array(buffer, byteOffset + 2, 8))).toBe(true);
    expect(finder.isInBytes(new Uint8Array(buffer, byteOffset + 3, 7))).toBe(false);
    expect(finder.isInBytes(new Uint8Array(buffer, byteOffset + 2, 7))).toBe(false);
  });
});

describe('a line of a log', () => {
  const secrets = new Secrets();
  for (const secret of ['hunter22', '4711081547', '"a":1,"b"']) secrets.add(secret);

  it.each([
    ['{"msg":"it is hunter22"}\n', '{"msg":"it is ******"}\n'],
    ['{"a hunter22":"\\"hunter22\\""}\n', '{"a ******":"\\"******\\""}\n'],
    ['{"hunter":"22","x":"hunt\\u0065r22"}\n', '{"hunter":"22","x":"******"}\n'],
    ['{"n":[4711081547,-4711081547.5,14711081547e0,4711081546]}\n', '{"n":["******","******","******",4711081546]}\n'],
    ['{"level":30,"a":1,"b":2}\n', '{"level":30,"msg":"{\\"level\\":30,******:2}"}\n'],
    ['{"a":1,"b":2}\n', '{"level":50,"msg":"{******:2}"}\n'],
    ['{"x":1,"level":30,"a":1,"b":2}\n', '{"level":50,"msg":"{\\"x\\":1,\\"level\\":30,******:2}"}\n'],
    ['{"a":2,"b":1}\n', '{"a":2,"b":1}\n'],
  ])('%j is shown as %j', (line, shown) => {
    expect(secrets.maskJsonLine(line)).toBe(shown);
  });

  it('takes no longer than one text: a line that is too much work is masked as a whole', () => {
    const tokens = Array.from({ length: 100_000 }, (_, index) => `\\${index}`);
    for (const value of ['\\'.repeat(1_000_000), tokens]) {
      const line = `${JSON.stringify({ level: 30, msg: 'hunter2', value })}\n`;
      expect(secrets.maskJsonLine(line)).toBe('{"level":30,"msg":"******"}\n');
    }
  });

  it('is masked where a secret is JSON in JSON, beside escapes of other kinds', () => {
    const known = new Secrets();
    known.add('hunter\\2');
    const msg = JSON.stringify(JSON.stringify({ a: '%20&amp;hunter\\2' }));
    const line = `${JSON.stringify({ level: 30, msg })}\n`;
    const shown = JSON.parse(known.maskJsonLine(line)) as { msg: string };
    expect(JSON.parse(JSON.parse(shown.msg) as string)).toEqual({ a: '%20&amp;******' });
  });

  it('is masked by the secrets that are known by then', () => {
    const growing = new Secrets();
    expect(growing.mask('hunter22')).toBe('hunter22');
    growing.add('hunter22');
    expect(growing.mask('hunter22')).toBe('******');
    growing.add('another');
    expect([growing.mask('hunter22 another'), growing.count]).toEqual(['****** ******', 2]);
    growing.add('sixsix');
    growing.add('five5');
    expect(growing.count).toBe(3);
  });
});

describe('a text that takes long to clear', () => {
  const million = 1_000_000;
  const secrets = ['hunter2-correct-horse', 'aaaaaaaaaaaaaaaa', '%25%25%25%25', '\\\\\\\\\\\\\\\\'];
  const finder = new SecretFinder(secrets);

  it.each([
    ['a percent sign that is escaped again and again', `%${'25'.repeat(million / 2)}`],
    ['backslashes', '\\'.repeat(million)],
    ['escaped backslashes', '\\x5c'.repeat(million / 4)],
    ['a secret without end', 'a'.repeat(million)],
  ])('is masked as a whole: %s', (_, text) => {
    expect(finder.mask(text)).toBe(maskMark);
  });

  it('is shown when it is only long', () => {
    const json = JSON.stringify(
      JSON.stringify(Array.from({ length: 6000 }, (_, index) => ({ index, text: 'a\n"b"' }))),
    );
    const known = new SecretFinder(['hunter2-correct-horse']);
    expect(known.mask(json)).toBe(json);
    expect(known.mask(`${json} hunter2-correct-horse`)).toBe(`${json} ******`);
    const paths = 'C:\\Users\\me\\'.repeat(5000);
    expect(known.mask(paths)).toBe(paths);
  });
});
