import { describe, expect, it } from 'vitest';
import { everyWay } from '../../test-fixtures/both-ways.ts';
import { find } from '../find.ts';
import { outline } from '../outline.ts';
import { glance } from '../views/glance.ts';
import { stateLine } from '../views/state-line.ts';
import { maskMark as mask } from './secrets.ts';
import { maskByForm } from './text-rules.ts';
import { tokenForms, tokenRule } from './tokens.ts';

class Wallet {
  readonly address = '0xabc';
  readonly mnemonic = { phrase: 'legal winner thank year', entropy: '0x7f7f', wordlist: 'en' };
  readonly seed = 'c55257c360c07c72';
  readonly extendedKey = 'xpub-of-it';
}

const xprv = `xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi`;

/** What an object holds, and what is shown of it. */
const table: readonly (readonly [object, object])[] = [
  // What is not set.
  [
    { password: null, apiKey: undefined, token: '' },
    { password: null, apiKey: null, token: '' },
  ],
  [{ secrets: { a: null, b: '', c: 'x' } }, { secrets: { a: null, b: '', c: mask } }],
  [
    { pin: 1234, password: true },
    { pin: mask, password: true },
  ],
  [{ line: 'DB_PASSWORD= PORT=1' }, { line: 'DB_PASSWORD= PORT=1' }],
  [{ line: 'password="" host=x' }, { line: 'password="" host=x' }],
  [{ line: '{"password":"","a":1}' }, { line: '{"password":"","a":1}' }],
  // What belongs to a secret, and is none.
  [
    { jwt: { algorithm: 'HS256', issuer: 'me', secret: 'x' } },
    { jwt: { algorithm: 'HS256', issuer: 'me', secret: mask } },
  ],
  [
    { cookieName: 'sid', cookie: { name: 'sid', path: '/', sameSite: 'lax', secret: 'x' } },
    { cookieName: 'sid', cookie: { name: 'sid', path: '/', sameSite: 'lax', secret: mask } },
  ],
  [
    { 'db.password': { type: 'string', sensitive: true, value: 'x' } },
    { 'db.password': { type: 'string', sensitive: true, value: mask } },
  ],
  [{ tokens: ['comma', 'colon', 'STRING', '=>', 3] }, { tokens: ['comma', 'colon', 'STRING', '=>', 3] }],
  [{ tokens: [101, 2023] }, { tokens: [101, 2023] }],
  [{ tokens: ['comma', 'a1b2c3d4'] }, { tokens: [mask, mask] }],
  [{ passwords: ['comma'] }, { passwords: [mask] }],
  // Wallets.
  [
    { wallet: new Wallet() },
    {
      wallet: {
        address: '0xabc',
        mnemonic: { phrase: mask, entropy: mask, wordlist: mask },
        seed: mask,
        extendedKey: mask,
      },
    },
  ],
  [
    { key: xprv, seed: 42 },
    { key: mask, seed: 42 },
  ],
  [{ line: `derived ${xprv}.` }, { line: `derived ${mask}.` }],
  // Addresses.
  [{ dsn2: 'root:p@ss/w@tcp(db:3306)/app' }, { dsn2: mask }],
  [{ line: 'open root:p@ss/w@tcp(db:3306)/app' }, { line: `open ${mask}@tcp(db:3306)/app` }],
  [{ line: 'app:pw@unix(/tmp/mysql.sock)/app' }, { line: `${mask}@unix(/tmp/mysql.sock)/app` }],
  [{ line: '//ada:pw@host/path' }, { line: `//${mask}@host/path` }],
  [{ line: 'src="//ada:pw@host/path"' }, { line: `src="//${mask}@host/path"` }],
  [{ line: 'jdbc:oracle:thin:scott/tiger@//db:1521/x' }, { line: `jdbc:oracle:thin:${mask}@//db:1521/x` }],
  [{ line: '// see docs: a@b' }, { line: '// see docs: a@b' }],
  // Files of keys.
  [
    { pem: 'MII', p12: Buffer.from('a'), id_rsa: 'b', cert: 'c' },
    { pem: mask, p12: mask, id_rsa: mask, cert: 'c' },
  ],
];

describe('what is shown of', () => {
  it.each(table)('%j', (held, shown) => {
    for (const document of everyWay(held)) expect(JSON.parse(document)).toEqual(shown);
  });

  it('a wallet shows its phrase in no row, hit or line', async () => {
    const wallet = new Wallet();
    for (const text of ['legal winner', 'c55257', '7f7f']) expect((await find(wallet, text)).hits).toEqual([]);
    expect(JSON.stringify(outline(wallet, { levels: 3 }))).not.toMatch(/legal winner|c55257|7f7f/);
    expect(stateLine(wallet.mnemonic)).not.toMatch(/legal|7f7f/);
    expect(glance(wallet)).toBeUndefined();
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
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnSHVudGVyMg',
    xprv,
  ];

  it('of every form is masked anywhere in a text', () => {
    expect(samples).toHaveLength(tokenForms.length);
    for (const sample of samples) {
      expect(maskByForm(sample)).toBe(mask);
      expect(maskByForm(`the (${sample}) of it`)).toBe(`the (${mask}) of it`);
    }
  });

  it('of a new form is masked by one more line in the table', () => {
    const token = 'acme_0123456789abcdef';
    const { sign, mask: masked } = tokenRule([...tokenForms, ['acme_', /[\da-f]{16}/]]);
    expect([sign.test(token), masked(`a ${token} b`, '')]).toEqual([true, `a ${mask} b`]);
    expect(tokenRule(tokenForms).mask(token, '')).toBe(token);
  });

  it('is looked for in linear time', () => {
    for (const [starts] of tokenForms)
      for (const start of starts.split(' ')) maskByForm(`-${start}${`-${start}a1`.repeat(200_000)}`);
  });
});
