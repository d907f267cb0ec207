import { describe, expect, it } from 'vitest';
import { everyWay } from '../../test-fixtures/both-ways.ts';
import { inspect } from '../inspect.ts';
import { Masking, type MaskingOptions } from './masking.ts';
import { everything, nothing, texts, textsAndNumbers } from './secret-key.ts';
import { SecretFinder } from './secrets.ts';

describe('masking', () => {
  it('masks the user-info of every URL in a text, and nothing else', () => {
    const text = 'from http://a:b@c/d@e to redis://:p@ss@h:1 and ftp://host/x mail me@home, //x:y@z ://@';
    const shown = 'from http://******@c/d@e to redis://******@h:1 and ftp://host/x mail me@home, //******@z ://@';
    for (const document of everyWay(text)) expect(document).toBe(JSON.stringify(shown));
  });

  it('masks the user-info of a URL that is a key', () => {
    const pools = { 'redis://me:word@h/1': { size: 1 }, 'http://h/?to=me@home': [2] };
    const bean = { pools, byAddress: new Map(Object.entries(pools)), list: [new Map([[{}, 'ftp://a:b@c']])] };
    const shown = { 'redis://******@h/1': { size: 1 }, 'http://h/?to=me@home': [2] };
    for (const document of everyWay(bean)) {
      expect(JSON.parse(document)).toEqual({
        pools: shown,
        byAddress: shown,
        list: [[{ key: {}, value: 'ftp://******@c' }]],
      });
    }
    for (const document of everyWay(bean, { format: 'xml' })) expect(document).not.toContain('word');
  });

  it('takes linear time for a hostile text', () => {
    const text = '://a'.repeat(200_000);
    expect(inspect(text).toString()).toBe(JSON.stringify(text));
  });

  it('masks user-info that the length limit cuts from its host', () => {
    const text = `${'x'.repeat(50)}://somebody:word@host/`;
    for (const document of everyWay(text, { text: 70 })) expect(document).toBe(`"${'x'.repeat(50)}://******@host/"`);
  });

  it('masks known values everywhere, also in addresses and bytes', () => {
    const secret = 'p@ss wörd/1234';
    const bean = {
      a: `x ${secret} y`,
      b: encodeURIComponent(secret),
      d: Buffer.from(`..${secret}..`),
      h: Buffer.from(`password=${encodeURIComponent(secret)}&`),
      f: new Map([[`key ${secret}`, [secret]]]),
      [`own ${secret}`]: 1,
      g: 'p@ss wörd/123',
    };
    for (const document of everyWay(bean, { secrets: [secret] })) {
      expect(JSON.parse(document)).toEqual({
        a: 'x ****** y',
        b: '******',
        d: '******',
        h: '******',
        f: { 'key ******': ['******'] },
        'own ******': 1,
        g: 'p@ss wörd/123',
      });
    }
  });

  it('masks a known value that the length limit would cut in two', () => {
    const text = `${'x'.repeat(60)}0123456789abcdef and so on, and so on, and so on`;
    for (const document of everyWay(text, { text: 64, secrets: ['0123456789abcdef'] })) {
      expect(document).not.toContain('0123');
    }
    const bytes = Buffer.from(`${'x'.repeat(40)}${'0123456789abcdef'.repeat(4)} and so on`);
    for (const document of everyWay(bytes, { text: 64, secrets: ['0123456789abcdef'.repeat(4)] })) {
      expect(document).toBe('"******[88 more]"');
    }
  });

  it('applies the mask function of an application, and masks the entry when it throws', () => {
    const seen: string[] = [];
    const mask = ({ path, key, value }: { path: string; key: string; value: unknown }): boolean => {
      seen.push(path);
      if (key === 'odd') throw new Error('no rule');
      return value === 'hide me';
    };
    const bean = { a: { 'b/c': 'hide me' }, odd: 1, list: ['hide me', 'show me'] };
    const shown = { a: { 'b/c': '******' }, odd: '******', list: ['******', 'show me'] };
    expect(JSON.parse(inspect(bean, { mask }).toString())).toEqual(shown);
    expect(seen).toEqual(['/a', '/a/b~1c', '/odd', '/list', '/list/0', '/list/1']);
  });

  it('reveals the given path only', () => {
    const bean = { login: { token: 'open', cookie: 'closed' }, token: 'closed' };
    const shown = { login: { token: 'open', cookie: '******' }, token: '******' };
    expect(JSON.parse(inspect(bean, { reveal: ['/login/token'] }).toString())).toEqual(shown);
  });
});

describe('user-info', () => {
  const masking = new Masking();

  it.each([
    ['http://a:b@c', 'http://******@c'],
    ['http://a@c', 'http://******@c'],
    ['://a@', '://******@'],
    ['http://a:b@c@d/', 'http://******@d/'],
    ['http://a:b@c http://d:e@f', 'http://******@c http://******@f'],
    ['http://c/ http://d:e@f', 'http://c/ http://******@f'],
    ['http://c http://d@e/://f', 'http://c http://******@e/://f'],
    ['http://http://a:b@c', 'http://http://******@c'],
    ['://://a://b@c://', '://://a://******@c://'],
  ])('of %s is hidden', (text, shown) => {
    expect(masking.text(text)).toBe(shown);
    expect(masking.key(text)).toBe(shown);
  });

  it.each([
    'http://@c',
    'http://c/a@b',
    'http://c?a@b',
    'http://c#a@b',
    'http://c a@b',
    'http://c\na@b',
    'a@b http://c',
    'a:b@c',
    'http:/a@b',
    'http://',
    '',
  ])('is not in %j', (text) => {
    expect(masking.text(text)).toBe(text);
  });
});

describe('the rules', () => {
  const neverAsked = () => {
    throw new Error('the path of an entry is not needed');
  };

  it('need paths only when the application has rules of its own', () => {
    expect(new Masking().needsPaths).toBe(false);
    expect(new Masking({ reveal: [], secrets: ['hunter22'] }).needsPaths).toBe(false);
    expect(new Masking({ reveal: ['/a'] }).needsPaths).toBe(true);
    expect(new Masking({ mask: () => false }).needsPaths).toBe(true);
    expect(new Masking({ reveal: ['token', /x/], mask: ['a*', /y/g] }).needsPaths).toBe(false);
    expect(new Masking({ mask: ['/a'] }).needsPaths).toBe(true);
    expect(new Masking().secrecyOf('token', neverAsked)).toBe(texts);
    expect(new Masking({ reveal: ['/a'] }).secrecyOf('a', neverAsked)).toBe(nothing);
    expect(new Masking().hidesEntry('a', 1, neverAsked)).toBe(false);
  });

  it('reveal a key by its path', () => {
    const masking = new Masking({ reveal: ['/a/token', '/b'] });
    expect(masking.secrecyOf('token', () => '/a/token')).toBe(nothing);
    expect(masking.secrecyOf('token', () => '/token')).toBe(texts);
  });

  it.each<[MaskingOptions, string, number]>([
    [{ mask: ['total'] }, 'total', everything],
    [{ mask: ['total'] }, 'Total', everything],
    [{ mask: ['total'] }, 'subtotal', nothing],
    [{ mask: 'total' }, 'total', everything],
    [{ mask: ['*total'] }, 'subTotal', everything],
    [{ mask: ['a.b*'] }, 'a.bc', everything],
    [{ mask: ['a.b*'] }, 'axbc', nothing],
    [{ mask: [/^iban$/] }, 'iban', everything],
    [{ mask: [/^iban$/] }, 'IBAN', nothing],
    [{ mask: ['/a/b'] }, 'b', everything],
    [{ mask: ['/b'] }, 'b', nothing],
    [{ reveal: ['token'] }, 'token', nothing],
    [{ reveal: ['*Token'] }, 'csrfToken', nothing],
    [{ reveal: ['*Token'] }, 'tokens', texts],
    [{ reveal: [/^csrf/] }, 'csrfToken', nothing],
    [{ reveal: ['token'], mask: ['token'] }, 'token', everything],
    [{}, 'pin', textsAndNumbers],
  ])('with %o mask %s as %s', (options, key, secrecy) => {
    const masking = new Masking(options);
    // Twice, since a pattern may remember where it ended.
    for (const _ of [1, 2]) expect(masking.secrecyOf(key, () => '/a/b')).toBe(secrecy);
  });

  it('apply to entries of a masked container, unless an entry is revealed', () => {
    const masking = new Masking({ reveal: ['region'] });
    expect(masking.secrecyOf('id', neverAsked, texts)).toBe(texts);
    expect(masking.secrecyOf('pin', neverAsked, texts)).toBe(textsAndNumbers);
    expect(masking.secrecyOf('token', neverAsked, textsAndNumbers)).toBe(textsAndNumbers);
    expect(masking.secrecyOf('region', neverAsked, texts)).toBe(nothing);
  });

  it('ask the mask function about each entry, and mask it when it returns nothing', () => {
    const masking = new Masking({ mask: ({ path, key, value }) => path === '/a/b' && key === 'b' && value === 1 });
    expect(masking.hidesEntry('b', 1, () => '/a/b')).toBe(true);
    expect(masking.hidesEntry('b', 2, () => '/a/b')).toBe(false);
    expect(masking.hidesEntry('b', 1, neverAsked)).toBe(true);
  });

  it('accept secrets as strings, or as a shared finder', () => {
    const finder = new SecretFinder(['hunter22']);
    expect(new Masking({ secrets: finder }).secrets).toBe(finder);
    const masking = new Masking({ secrets: ['hunter22', '12345678'] });
    expect(masking.text('hunter22 http://a@hunter22')).toBe('****** http://******@******');
    expect([masking.hidesNumber(12345678), masking.hidesNumber(1), new Masking().hidesNumber(12345678)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(masking.bytes(Buffer.from('hunter22'), neverAsked)).toBe('******');
    expect(masking.bytes(Buffer.from('hunter23'), () => 'shown')).toBe('shown');
  });

  it('mask the bytes of a private key, as in a TLS agent', () => {
    const pem = (what: string) => Buffer.from(`-----BEGIN ${what}-----\nMIIE\n-----END ${what}-----\n`);
    const options = { key: pem('RSA PRIVATE KEY'), cert: pem('CERTIFICATE'), note: Buffer.from('no PRIVATE KEY here') };
    for (const document of everyWay(options)) {
      const { key, cert, note } = JSON.parse(document) as Record<string, string>;
      expect(key).toBe('******');
      expect([cert, note]).toEqual([options.cert.toString('base64'), options.note.toString('base64')]);
    }
  });

  it('mask the secret beside an AWS access key that another rule has masked', () => {
    const id = 'AKIAIOSFODNN7EXAMPLE';
    const line = `${id}:wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY`;
    expect(new Masking({ secrets: [id] }).text(line)).toBe('******:******');
    for (const document of everyWay({ accessKeyId: id, line })) {
      expect(JSON.parse(document)).toEqual({ accessKeyId: '******', line: '******:******' });
    }
  });

  it('mask the value beside a secret name in a map that is shown as a list', () => {
    const map = new Map<unknown, unknown>([
      [{}, 'shown'],
      ['password', 'planted'],
      [Symbol('token'), 'planted'],
      [Symbol('token'), 'planted'],
      [1, 'shown'],
    ]);
    for (const document of everyWay(map)) {
      expect((JSON.parse(document) as { value: unknown }[]).map(({ value }) => value)).toEqual([
        'shown',
        '******',
        '******',
        '******',
        'shown',
      ]);
    }
  });
});
