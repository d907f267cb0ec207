import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../test-fixtures/property-runs.ts';
import { shown, written } from '../../test-fixtures/shown.ts';
import { find } from '../find.ts';
import { readPrivateFields as privateFields } from '../inner-session.ts';
import { inspect } from '../inspect.ts';
import type { InspectionOptions } from '../inspection-options.ts';
import { outline } from '../outline.ts';
import { glance } from '../views/glance.ts';
import { quantityAt } from '../views/quantity.ts';
import { stateLine } from '../views/state-line.ts';
import { LearnedTexts } from './learned-texts.ts';
import { Masking } from './masking.ts';
import { maskMark as mask, SecretFinder, Secrets } from './secrets.ts';
import { maskByPattern } from './text-rules.ts';
import { tokenKinds, tokenRule } from './tokens.ts';

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnSHVudGVyMg';
const xprv =
  'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi';

/** Texts of applications. What is between « and » is masked. */
const texts = [
  // Queries and forms.
  'https://a/?access_token=«abc»&page=2',
  'https://a/?page=2&token=«abc»#top',
  'https://a/b?X-Amz-Signature=«zz»&X-Amz-Date=1',
  'https://a.blob/c?sv=1&sig=«x%2By»',
  'user=ada&password=«a;b»&x=1',
  '?page=2&sort=asc',
  'https://example.org/?page=2&key=name&q=token',
  // Connection strings, environments and flags.
  'Server=x;User Id=u;Password=«a b&c»;Port=1',
  'Password=«abc»;',
  'password=«abc» host=x',
  "password='«a b»' host=x",
  'password="" host=x',
  'PASSWORD=«abc»',
  'DB_PASSWORD= PORT=1',
  '--token=«abc»',
  'connect.sid=«s%3Aabc»; Path=/',
  'pin=«1234»',
  'the token= is empty',
  'token == other',
  'a => token=>b',
  'max_tokens=4096&tokenCount=3',
  'a=b;c=d',
  // Headers.
  'Bearer «abcHunter2»',
  'bearer «abcdefghijklmnopqrstuvwxyz»',
  'sent Bearer «abc.def-123», and so on',
  'Basic «dTpwSHVudGVyMg==»',
  'Basic «YWJjOmRlZg==»',
  'Authorization: «Digest abc»',
  'GET / HTTP/1.1\r\nHost: a\r\nCookie: «a=b»\r\nX-Api-Key: «c»\r\nAccept: d',
  'Basic usage of the API',
  'Bearer of bad news',
  'Bearer authentication',
  'Basic authentication is on',
  'sent 12 words, Basic and Bearer among them',
  'Content-Type: text/html\r\nX-Request-Id: abc123\r\nHost: a',
  'Token: expired, please log in',
  // JSON.
  '{"password":"«abc»","a":"b"}',
  '{"password" : "«a\\"b»","a":1}',
  '{"pin":«1234»,"tokenCount":5}',
  '"{\\"password\\":\\"«abc»\\",\\"a\\":\\"b\\"}"',
  '{"password":"«never ends»',
  '{"password":"","a":1}',
  '{"a":"b","tokenCount":3,"password":null}',
  '{"user":"ada","note":"the password is long"}',
  'say "password" and enter',
  // Keys and tokens beyond one of each form.
  '-----BEGIN PRIVATE KEY-----«\nMIIHunter2\n»-----END PRIVATE KEY-----',
  'a -----BEGIN RSA PRIVATE KEY-----«\nMIIHunter2\n»-----END RSA PRIVATE KEY----- b',
  '-----BEGIN PRIVATE KEY-----«\nMII»',
  '«sk-Hunter2»',
  '«hf_abcdefghijklmnopqrstuvwxyzABCDEFGH»',
  '«AKIAABCDEFGHIJKLMNOP»',
  '«AKIAIOSFODNN7EXAMPLE»:«wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY»',
  `the token «${jwt}.»`,
  '-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----',
  'sk-learn',
  'sk-learn-contrib',
  'sk-SK',
  'task-1234567890123456789012',
  '0b6e3a4c-1f0e-4b7e-9a65-3c2d1e0f9a8b',
  '8fc6f2c9d0b5c0d221b1e1ced9857dc5457083662',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk',
  'eyJ is how JSON begins in base64',
  'eyJhbGciOiJIUzI1NiJ9',
  'AKIA',
  're_exported_names_of_modules',
  'key-1',
  'sdk-v3',
  'store_0123456789012345678901',
  'xoxo-',
  'ghp_short',
  // User-info.
  'from http://«a:b»@c/d@e to redis://«:p@ss»@h:1 and ftp://host/x mail me@home, //«x:y»@z ://@',
  'mongodb://«u:pw/leak»@h/db',
  'https://«u:pw#leak»@h',
  'https://«u:pw?leak»@h',
  'postgres://«u:pw leak»@h/db',
  'redis://«:pw/leak»@h',
  'https:/«u:p»@h',
  'https:\\\\«u:p»@h',
  'postgres:\\/\\/«u:p»@h',
  'https:///«u:p»@h',
  'http://«a»@c',
  'http://«a:b@c»@d/',
  'http://«a:b»@c http://«d:e»@f',
  'http://c http://«d»@e/://f',
  'http://http://«a:b»@c',
  'open «root:p@ss/w»@tcp(db:3306)/app',
  '«app:pw»@unix(/tmp/mysql.sock)/app',
  '//«ada:pw»@host/path',
  'src="//«ada:pw»@host/path"',
  'jdbc:oracle:thin:«scott/tiger»@//db:1521/x',
  '// see docs: a@b',
  'http://@c',
  'http://c/a@b',
  'http://c?a@b',
  'http://c#a@b',
  'http://c a@b',
  'http://c\na@b',
  'a@b http://c',
  'a:b@c',
  'http:/a@b',
  'http://localhost:8080/@vite/client',
  'http://[::1]:3000/a@b',
  'https://example.org/@user/post',
  'http://host:/@x',
  'C:/Users/me@home',
  'C:\\Users\\me@home',
  'mail me@home at 12:30',
  '2019-12-24T12:00:00.000Z',
  '',
].map((row) => [row.replace(/[«»]/g, ''), row.replace(/«.*?»/gs, mask)] as const);

describe('a text', () => {
  it.each(texts)('%j is shown as %j', (text, masked) => {
    expect(maskByPattern(text)).toBe(masked);
    expect(maskByPattern(masked)).toBe(masked);
    expect(shown([text])).toEqual([masked]);
    const isCheckedAsKey = text.length >= 20 || text.includes('@');
    expect(shown(new Map([[text, true]]))).toEqual({ [isCheckedAsKey ? masked : text]: true });
  });

  it.each(
    ['://a', '=', '"', '"a":', 'password=x&', '"password":"a",', '"password":[', 'Bearer a ', 'https://a:b/ ', 'a@b:/']
      .concat('-----BEGIN PRIVATE KEY-----', ':\\@')
      .concat(tokenKinds.flatMap(([starts]) => starts.split(' ').map((start) => `-${start}a1`))),
  )('that repeats %j takes linear time', (piece) => {
    // Otherwise the time of this test would be up.
    expect(maskByPattern(piece.repeat(1_000_000 / piece.length)).length).toBeGreaterThan(0);
  });
});

describe('a token', () => {
  const samples = [
    `ghp_${'a'.repeat(36)}`,
    `github_pat_${'a'.repeat(30)}`,
    `glpat-${'a'.repeat(20)}`,
    'xoxb-123456789012-abc',
    `hvs.${'a'.repeat(24)}`,
    'sk_live_51Hunter2Hunter2',
    'sk-proj-abcdefghijklmnop1',
    'AKIAIOSFODNN7EXAMPLE',
    `AIza${'a'.repeat(35)}`,
    `npm_${'a'.repeat(36)}`,
    'SG.Ab0123456789abcdef.Ab0123456789abcdefghij',
    're_AbCdEf12_0123456789abcdefABCDEFGH',
    'key-3ax6xnjp29jd6fds4gc373sgvjxteol0',
    'sdk-0b6e3a4c-1f0e-4b7e-9a65-3c2d1e0f9a8b',
    `shpat_${'a'.repeat(32)}`,
    `whsec_${'a'.repeat(32)}`,
    jwt,
    xprv,
  ];

  it('of every form is masked anywhere in a text', () => {
    expect(samples).toHaveLength(tokenKinds.length);
    for (const sample of samples) {
      expect(maskByPattern(sample)).toBe(mask);
      expect(maskByPattern(`the (${sample}) of it`)).toBe(`the (${mask}) of it`);
    }
  });

  it('of a new form needs one more line in the table', () => {
    const token = 'acme_0123456789abcdef';
    const { hint, mask: masked } = tokenRule([...tokenKinds, ['acme_', /[\da-f]{16}/]]);
    expect([hint.test(token), masked(`a ${token} b`, '')]).toEqual([true, `a ${mask} b`]);
    expect(tokenRule(tokenKinds).mask(token, '')).toBe(token);
  });
});

class Wallet {
  readonly address = '0xabc';
  readonly mnemonic = { phrase: 'legal winner thank year', entropy: '0x7f7f', wordlist: 'en' };
  readonly seed = 'c55257c360c07c72';
  readonly extendedKey = 'xpub-of-it';
}

class Service {
  readonly issued = 3;
  readonly algorithm = 'HS256';
  readonly secret = 'planted';
  get tokenCount() {
    return 3;
  }
  get token() {
    return 'planted';
  }
  get password(): string {
    throw new Error('planted');
  }
  get tokenOf() {
    return () => 'planted';
  }
}
const service = { issued: 3, algorithm: 'HS256', secret: mask, tokenCount: 3, token: mask, password: mask };

/** What toJSON makes. */
class Made {
  readonly #made: unknown;
  constructor(made: unknown) {
    this.#made = made;
  }
  toJSON() {
    return this.#made;
  }
}

const pem = (what: string) => Buffer.from(`-----BEGIN ${what}-----\nMIIE\n-----END ${what}-----\n`);
const anyKeys = (...entries: (readonly [unknown, unknown])[]) => new Map(entries);

/** A value that is masked where it stands. */
class Planted {
  readonly value: unknown;
  constructor(value: unknown = 'planted') {
    this.value = value;
  }
}
const secret = (value?: unknown) => new Planted(value);

/** A description of a bean, with its planted values or with masks in place of them. */
function beanOf(described: unknown, replace: (planted: Planted) => unknown): unknown {
  const each = (value: unknown) => beanOf(value, replace);
  if (described instanceof Planted) return replace(described);
  if (described instanceof Map) return new Map([...described].map(([key, value]) => [key, each(value)]));
  if (described instanceof Set) return new Set([...described].map(each));
  if (Array.isArray(described)) return described.map(each);
  const isPlain = typeof described === 'object' && described !== null && described.constructor === Object;
  return isPlain ? Object.fromEntries(Object.entries(described).map(([key, value]) => [key, each(value)])) : described;
}

/** What an object holds. */
const beans: Readonly<Record<string, readonly (readonly [bean: object, options?: InspectionOptions])[]>> = {
  'is shown if it is absent, empty or a boolean': [
    [{ password: null, apiKey: undefined, token: '', passwd: true, cookieConsent: false }],
    [{ secrets: { a: null, b: '', c: secret() } }],
  ],
  'is masked as a number only behind keys of numeric secrets': [
    [{ pin: secret(1234), cvv: secret(1), ssn: secret(1), otp: secret(5), password: secret(99), seed: 42 }],
    [{ pin: [secret(1234), { a: secret(1) }], totp: new Map([['a', secret(5)]]), pinCodes: [1] }],
    [{ prompt_tokens: 12, maxTokens: 4096, tokenBucket: { capacity: 10 }, tokenRatio: 0.5, tokensLeft: new Date(5) }],
  ],
  'is masked behind a secret key if it may contain a text': [
    ...['a', 5n, Symbol('a'), /a/, Buffer.from('a'), new URL('http://a/'), Object('a')].map(
      (token) => [{ token: secret(token) }] as const,
    ),
    [{ token: secret({ toJSON: () => 'planted' }), tokens: secret(new Proxy({ a: 'planted' }, {})) }],
    [new Map([['token', secret(() => 'a')]])],
    [{ dsn2: secret('root:p@ss/w@tcp(db:3306)/app'), pem: secret(), p12: secret(Buffer.from('a')), id_rsa: secret() }],
    [
      anyKeys(
        [{}, 'shown'],
        ['password', secret()],
        [Symbol('token'), secret()],
        [Symbol('token'), secret('beside a symbol alone')],
        [1, 'y'],
      ),
    ],
  ],
  'is masked in plain data behind a secret key, except for settings': [
    [{ cookie: { maxAge: 3600, path: '/', nested: { a: [secret(), 1] }, none: Object.create(null) } }],
    [
      {
        passwords: [secret('a'), secret('comma')],
        secrets: new Set([secret('a')]),
        creds: new Map([['a', secret('b')]]),
      },
    ],
    [{ tokens: anyKeys([{ id: 'shown' }, secret()]) }],
    [{ cookieName: 'sid', jwt: { algorithm: 'HS256', issuer: 'me', secret: secret('x') } }],
    [{ 'db.password': { type: 'string', sensitive: true, value: secret('x') } }],
  ],
  'is shown if it is the tokens of a parser': [
    [{ tokens: ['comma', 'colon', 'STRING', '=>', 3] }],
    [{ tokens: [101, 2023] }],
    [{ tokens: [secret('comma'), secret('a1b2c3d4')] }],
  ],
  'is masked in a list after an item that names it': [
    [['--password', secret('abc'), '--port', '80']],
    [['-token', secret('abc')]],
    [['password', secret('abc')]],
    [[['authorization', secret('abc')]]],
    [['Host', 'a', 'Cookie', secret('b'), 'X-Api-Key', secret('c'), 'Accept', 'd']],
    [['id', 'email', 'password', 'role']],
    [['id', 'Cookie', 'role', 'x']],
    [['Host', 'Cookie', 'role']],
    [['tokens', 5]],
    [['my password', 'abc']],
  ],
  'is masked beside a name, a function or a kind that makes it a secret': [
    [{ name: 'DB_PASSWORD', value: secret() }],
    [{ key: 'apiKey', value: secret() }],
    [{ name: 'region', value: 'eu' }],
    [{ name: 'token', value: 'x' }, { reveal: ['token'] }],
    [{ name: 'iban', value: secret('DE02') }, { mask: ['/a', 'iban'] }],
    [{ fn: 'auth', args: [secret('hunter22'), secret('hunter33')] }],
    [{ args: [secret('hunter44')], name: 'auth' }],
    [{ method: 'setCookie', params: [secret('hunter55'), { id: 1 }] }],
    [{ command: 'LOGIN', args: [secret('hunter66')] }],
    [{ name: 'authorization', values: [secret('hunter77')] }],
    [{ fn: 'get', args: ['/path'] }],
    [{ method: 'getTokenBalances', params: ['latest'] }],
    [
      {
        kty: 'RSA',
        n: 'public',
        e: 'AQAB',
        d: secret('d'),
        p: secret('p'),
        q: secret('q'),
        dp: secret('dp'),
        k: secret('k'),
      },
    ],
    [{ d: 'distance', p: 'page', k: 'kind' }],
  ],
  'is masked elsewhere too if it is a text behind a secret key': [
    [{ before: { select: secret('Hunter2pw') }, options: { host: 'h', password: secret('Hunter2pw') } }],
    [{ list: [secret('word'), 'words'], set: new Set([secret('word')]), token: secret('word') }],
    [{ a: 'abc', token: secret('abc') }],
    [
      {
        tokens: [secret('include all'), secret('not include')],
        copies: [secret('include all'), secret('not include')],
      },
    ],
    [{ note: 'it is postgres!', 'key postgres': 1, postgres: 1, password: secret('postgres') }],
    [{ map: new Map([['token', secret('in-a-map')]]), copy: secret('in-a-map') }],
    [
      {
        tokens: [secret('in-a-list'), new Set([secret('in-a-set')])],
        copies: [secret('in-a-list'), secret('in-a-set')],
      },
    ],
    [{ argv: ['--password', secret('listed-flag')], copy: secret('listed-flag') }],
    [
      {
        credentials: { id: secret('deep-1234'), secret: secret('own-key') },
        copies: [secret('deep-1234'), secret('own-key')],
      },
    ],
    [{ variable: { name: 'DB_PASSWORD', value: secret('hunter22') }, copy: secret('hunter22') }],
  ],
  'is shown if it equals a setting or a role behind a secret key, or what is revealed': [
    [{ a: 'include', b: 'true', c: '*****', tokens: [secret('include'), secret('true'), secret('*****')] }],
    [{ copies: ['admin', 'editor'], credentials: { role: secret('admin'), roles: new Set([secret('editor')]) } }],
    [{ a: 'shown-text', token: 'shown-text' }, { reveal: ['token'] }],
    [{ a: 'shown-text', token: 'shown-text' }, { reveal: ['/token'] }],
  ],
  'is revealed by name, by pattern and by path, also within plain data': [
    [
      {
        credentials: { region: 'eu', id: secret() },
        csrfToken: 'c',
        tokens: [secret('a1'), 'b1'],
        cookie: { path: '/' },
      },
      { reveal: ['REGION', /^csrf/, '/tokens/1', 'cookie'] },
    ],
    [{ login: { token: 'open', cookie: secret('closed') }, token: secret('closed') }, { reveal: ['/login/token'] }],
  ],
  'is masked if the application names it by name, pattern or path': [
    [
      { list: [{ balance: secret(5), owner: secret({ name: 'planted' }) }], map: new Map([['Owner', secret(1)]]) },
      { mask: ['balance', /^owner$/i] },
    ],
    [{ list: [secret('planted'), 1], iban: secret('a-text'), b: secret('a-text') }, { mask: ['iban', '/list/0'] }],
    [{ iban: secret('a-text'), b: secret('a-text') }, { mask: ['/iban'] }],
  ],
  'is masked if it contains a known secret, as a number or bytes': [
    [
      [secret(12345678), secret(12345678n), secret(Object(12345678)), secret(98765432109876543210n), 1234567, -0.5],
      { secrets: ['12345678', '98765432109876543210'] },
    ],
    [[secret(Buffer.from('..p@ss wörd..')), secret(Buffer.from('p=p%40ss%20w%C3%B6rd&'))], { secrets: ['p@ss wörd'] }],
    [{ key: secret(pem('RSA PRIVATE KEY')), cert: pem('CERTIFICATE'), note: Buffer.from('no PRIVATE KEY here') }],
  ],
};

/** What an object holds, and what is shown of it. */
const others: readonly (readonly [held: object, masked: object, options?: InspectionOptions])[] = [
  // Objects of a class are judged by their own keys.
  [
    { jwt: new Service(), passwordHasher: new Service() },
    { jwt: service, passwordHasher: service },
  ],
  [{ secrets: [new Service(), new Map([['a', new Service()]])] }, { secrets: [service, { a: service }] }],
  [{ jwt: new Made({ issuer: 'me', token: 'planted' }) }, { jwt: { issuer: 'me', token: mask } }],
  [{ tokens: new Made(['planted']) }, { tokens: [mask] }],
  [
    { wallet: new Wallet(), key: xprv },
    {
      wallet: {
        address: '0xabc',
        mnemonic: { phrase: mask, entropy: mask, wordlist: mask },
        seed: mask,
        extendedKey: mask,
      },
      key: mask,
    },
  ],
  [
    { credentials: Object.assign(Object.create(null) as object, { user: 'planted', port: 1 }) },
    { credentials: { user: mask, port: 1 } },
  ],
  // Parts of texts and keys.
  [
    ['--password=x', 'abc'],
    ['--password=******', 'abc'],
  ],
  [
    { note: 'it is postgres-123!', 'key postgres-123': 1, password: 'postgres-123' },
    { note: 'it is ******!', 'key ******': 1, password: mask },
  ],
  ...['a word of many', '1-2-3-4-5-6-7', 'many_x0041_more', 'ends-with-more_', 'plus+and/more='].map(
    (password) =>
      [
        { password, [`k${password}.`]: 1 },
        { password: mask, 'k******.': 1 },
      ] as const,
  ),
  [
    { a: 'x p@ss wörd y', map: new Map([['key p@ss wörd', 1]]), 'own p@ss wörd': 'p@ss wör', b: 'p%40ss%20w%C3%B6rd' },
    { a: 'x ****** y', map: { 'key ******': 1 }, 'own ******': 'p@ss wör', b: mask },
    { secrets: ['p@ss wörd'] },
  ],
  [
    [/hunter22\/a b/g, new URL('http://host/?q=hunter22%2Fa%20b'), `${new URLSearchParams({ q: 'hunter22/a b' })}`],
    ['/hunter22\\/a b/g', 'http://host/?q=******', 'q=******'],
    { secrets: ['hunter22/a b'] },
  ],
  [
    { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', line: `AKIAIOSFODNN7EXAMPLE:${'a/B1'.repeat(10)}` },
    { accessKeyId: mask, line: '******:******' },
  ],
  // Getters.
  [Object.defineProperty(['', 'shown'], 0, { get: () => 'password' }), ['password', 'shown']],
  [
    Object.defineProperty({}, 'iban', { get: () => expect.unreachable(), enumerable: true }),
    { iban: mask },
    { mask: ['iban'] },
  ],
];

describe('what an object holds', () => {
  it.each(Object.entries(beans))('%s', (_, rows) => {
    for (const [bean, options] of rows) {
      let planted = 0;
      const held = beanOf(bean, ({ value }) => {
        planted++;
        return value;
      });
      const masked = beanOf(bean, () => mask);
      expect(shown(held, options)).toEqual(shown(masked, { reveal: [/./] }));
      expect(written(held, options).split(mask)).toHaveLength(planted + 1);
    }
  });

  it('is masked in part, or by rules of its own', () => {
    for (const [held, masked, options] of others) expect(shown(held, options)).toEqual(masked);
  });

  it('is masked in names of functions, symbols, classes, elements, references and errors', () => {
    const secret = 'hunter22';
    const options = { secrets: [secret] };
    const named = (base: new () => object) => Object.defineProperty(class extends base {}, 'name', { value: secret });
    const call = Object.defineProperty(() => 1, 'name', { value: secret });
    expect(shown([call, Symbol(secret), new (named(WeakSet))()], options)).toEqual([
      '[Function ******]',
      'Symbol(******)',
      '[******]',
    ]);
    for (const base of [Object, Map, Array])
      expect(written(new (named(base))(), { ...options, format: 'xml' })).toBe(`<${'_x002A_'.repeat(6)}/>`);
    const inner: Record<string, unknown> = {};
    inner.hunter22 = { top: inner };
    expect(shown({ hunter22: inner }, options)).toEqual({ '******': { '******': { top: '[Reference /******]' } } });
    expect(() => inspect({}, { at: `/${secret}`, ...options })).toThrow(/^(?!.*hunter22)/s);
  });

  it.each([{ depth: 1 }, { limit: 1 }, { from: 1 }, { at: '/0' }])(
    'is masked when %o leaves out the key that makes it secret',
    (options) => {
      const text = 'hunter2hunter2';
      const value = [[text, text], [{ deep: { password: text } }], text];
      for (const format of ['json', 'xml'] as const) expect(written(value, { ...options, format })).not.toContain(text);
    },
  );

  it('is learned from each object once, without running its code; the document starts again if it has shown it', () => {
    let calls = 0;
    const bean: Record<string, unknown> = {
      trapped: new Proxy({}, { ownKeys: () => [String(calls++)], get: () => calls++ }),
      token: 'word',
      get once() {
        return calls++;
      },
    };
    bean.self = bean;
    expect(shown(bean)).toMatchObject({ token: mask });
    expect(calls).toBe(1);
    bean.copy = 'word';
    expect(shown(bean)).toMatchObject({ copy: mask });
    expect(calls).toBe(3);
  });
});

describe('every way to look', () => {
  /** A secret of each kind, each in the place that it usually has. */
  class Everything {
    readonly password = 'by-key-Hunter2';
    readonly copy = { inAnother: 'it is by-key-Hunter2', 'key of by-key-Hunter2': 1 };
    readonly credentials = { user: 'plain-Hunter2', list: [['Hunter2']], map: new Map([['a', 'Hunter2']]) };
    readonly address = 'redis://me:Hunter2@host/';
    readonly pools = new Map([['redis://me:Hunter2@host/', { size: 1 }]]);
    readonly keys = anyKeys([{}, 'shown'], ['token', 'Hunter2']);
    readonly line = `sent Bearer ${jwt} as Hunter2-known`;
    readonly 'Hunter2-known' = [Symbol('Hunter2-known'), Buffer.from('Hunter2-known')];
    readonly error = new Error('Hunter2-known');
    readonly call = { fn: 'auth', args: ['Hunter2'] };
    readonly argv = ['--password', 'Hunter2'];
    readonly iban = { owner: 'Hunter2' };
    readonly number = 4711081547;
    readonly #token = 'private-Hunter2';
    get secret() {
      return this.#token;
    }
    get broken() {
      throw new Error('Hunter2-known');
    }
  }
  const options = { secrets: ['Hunter2-known', '4711081547'], mask: ['iban'], privateFields };
  const pointersOf = (bean: unknown) =>
    JSON.stringify(outline(bean, { ...options, levels: 4 })).match(/(?<="pointer":")[^"]*/g);

  it('masks the same secrets: documents, parts, outlines, lines, glances, numbers, searches and log lines', async () => {
    const bean = new Everything();
    const seen: unknown[] = [stateLine(bean, options), glance(bean, options)];
    for (const at of ['', ...(pointersOf(bean) ?? [])].filter((each) => !each.includes(mask))) {
      seen.push(written(bean, { ...options, at }), written(bean, { ...options, at, format: 'xml' }));
      seen.push(written(bean, { ...options, at, glance: true }), outline(bean, { ...options, at, glance: true }));
      seen.push(quantityAt(bean, at, { masking: new Masking(options), getters: 'run' }));
    }
    expect(seen.length).toBeGreaterThan(100);
    const secrets = new Secrets();
    for (const each of options.secrets) secrets.add(each);
    seen.push(secrets.maskJsonLine(`${JSON.stringify({ level: 30, msg: 'Hunter2-known', n: 4711081547 })}\n`));
    seen.push((await find(bean, 'hunter', options)).hits, (await find(bean, '4711', options)).hits);
    expect(JSON.stringify(seen)).not.toMatch(/hunter2|47110815|c2lnSHVudGVyMg/i);
    expect((await find(bean, 'shown', options)).hits).toMatchObject([{ pointer: '/keys/0/value' }]);
    expect(outline(bean, { ...options, at: '/credentials/list/0' }).entries[0]).toMatchObject({ kind: 'masked' });
  });

  it('shows no secret of objects of Jig that know secrets', async () => {
    const learned = new LearnedTexts();
    learned.add('learned-Hunter2');
    const finder = new SecretFinder(['known-Hunter2']);
    const secrets = new Secrets();
    secrets.add('added-Hunter2');
    const ours = { learned, finder, secrets, masking: new Masking({ secrets: finder }, learned) };
    for (const bean of [ours, ...Object.values(ours)]) {
      const seen = [outline(bean, { privateFields, levels: 4 }), await find(bean, 'hunter2', { privateFields })];
      const documents = [written(bean, { privateFields }), written(bean, { privateFields, format: 'xml' })];
      expect(JSON.stringify([...seen, ...documents, stateLine(bean, { privateFields })])).not.toContain('Hunter2');
    }
  });
});

const letters = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');
const signs = Array.from(' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~\u00e9\u6f22');
const textOf = (characters: string[], minLength: number) =>
  fc.array(fc.constantFrom(...characters), { minLength, maxLength: 24 }).map((text) => text.join(''));

describe('a known secret', { timeout: 60_000 }, () => {
  /** The first characters make sure that no random text is one. */
  const anySecret = textOf([...letters, ...letters, ...signs], 6).map((text) => `K7${text}`);
  const anySurrounding = textOf([...letters.filter((each) => !'K7'.includes(each)), ...signs], 0);

  /** All keys and texts of data, and what base64 in it holds. */
  function textsOf(json: string): string[] {
    const found: string[] = [];
    JSON.parse(json, (key, value: unknown) => {
      found.push(key, String(value), Buffer.from(String(value), 'base64').toString());
      return value;
    });
    return found;
  }

  it.each<[string, (secret: string) => string]>([
    ['plain', (secret) => secret],
    ['in an address', encodeURIComponent],
    ['in a form', (secret) => new URLSearchParams({ a: secret }).toString().slice(2)],
    ['in JSON', (secret) => JSON.stringify({ a: secret })],
  ])('%s is in no document, row, hit or log line, whatever its characters', async (_, write) => {
    await fc.assert(
      fc.asyncProperty(anySecret, anySurrounding, anySurrounding, async (secret, before, after) => {
        const text = before + write(secret) + after;
        const bean = {
          text,
          [text]: [text],
          map: anyKeys([text, text]),
          list: anyKeys([{}, text]),
          bytes: Buffer.from(text),
        };
        const options = { secrets: [secret] };
        const known = new Secrets();
        known.add(secret);
        const line = known.maskJsonLine(`${JSON.stringify({ level: 30, msg: text })}\n`);
        const seen = [written(bean, options), JSON.stringify(outline(bean, options)), line].flatMap(textsOf);
        for (const each of seen) if (each.includes(write(secret))) expect.fail(`${secret} is in ${each}`);
        expect((await find(bean, write(secret), options)).hits).toEqual([]);
      }),
      propertyRuns(10),
    );
  });

  it('is not shown in part when a limit cuts it', () => {
    fc.assert(
      fc.property(anySecret, fc.nat(70), (secret, shift) => {
        const text = 'x'.repeat(shift) + secret + '.'.repeat(64);
        expect(written(text, { text: 64, secrets: [secret] })).not.toContain(secret.slice(0, 8));
      }),
      propertyRuns(100),
    );
    const long = '0123456789abcdef'.repeat(4);
    const bytes = Buffer.from(`${'x'.repeat(40)}${long} and so on`);
    expect(shown(bytes, { text: 64, secrets: [long] })).toBe('******[88 more]');
    const address = `${'x'.repeat(50)}://somebody:word@host/`;
    expect(shown(address, { text: 70 })).toBe(`${'x'.repeat(50)}://******@host/`);
  });
});
