import { describe, expect, it } from 'vitest';
import { everyWay } from '../../test-fixtures/both-ways.ts';
import { find } from '../find.ts';
import { outline } from '../outline.ts';
import { maskByForm } from './text-rules.ts';

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnSHVudGVyMg';
const pem = (kind: string) => `-----BEGIN ${kind}-----\nMIIHunter2\n-----END ${kind}-----`;

const secretTexts: readonly (readonly [string, string])[] = [
  // Queries and forms.
  ['https://a/?access_token=abc&page=2', 'https://a/?access_token=******&page=2'],
  ['https://a/?page=2&token=abc#top', 'https://a/?page=2&token=******#top'],
  ['https://a/b?X-Amz-Signature=zz&X-Amz-Date=1', 'https://a/b?X-Amz-Signature=******&X-Amz-Date=1'],
  ['https://a.blob/c?sv=1&sig=x%2By', 'https://a.blob/c?sv=1&sig=******'],
  ['user=ada&password=a;b&x=1', 'user=ada&password=******&x=1'],
  // Connection strings, environments and flags.
  ['Server=x;User Id=u;Password=a b&c;Port=1', 'Server=x;User Id=u;Password=******;Port=1'],
  ['Password=abc;', 'Password=******;'],
  ['password=abc host=x', 'password=****** host=x'],
  ["password='a b' host=x", "password='******' host=x"],
  ['PASSWORD=abc', 'PASSWORD=******'],
  ['--token=abc', '--token=******'],
  ['connect.sid=s%3Aabc; Path=/', 'connect.sid=******; Path=/'],
  ['pin=1234', 'pin=******'],
  // Headers.
  ['Bearer abcHunter2', 'Bearer ******'],
  ['bearer abcdefghijklmnopqrstuvwxyz', 'bearer ******'],
  ['sent Bearer abc.def-123, and so on', 'sent Bearer ******, and so on'],
  ['Basic dTpwSHVudGVyMg==', 'Basic ******'],
  ['Basic YWJjOmRlZg==', 'Basic ******'],
  ['Authorization: Digest abc', 'Authorization: ******'],
  [
    'GET / HTTP/1.1\r\nHost: a\r\nCookie: a=b\r\nX-Api-Key: c\r\nAccept: d',
    'GET / HTTP/1.1\r\nHost: a\r\nCookie: ******\r\nX-Api-Key: ******\r\nAccept: d',
  ],
  // JSON.
  ['{"password":"abc","a":"b"}', '{"password":"******","a":"b"}'],
  ['{"password" : "a\\"b","a":1}', '{"password" : "******","a":1}'],
  ['{"pin":1234,"tokenCount":5}', '{"pin":******,"tokenCount":5}'],
  ['"{\\"password\\":\\"abc\\",\\"a\\":\\"b\\"}"', '"{\\"password\\":\\"******\\",\\"a\\":\\"b\\"}"'],
  ['{"password":"never ends', '{"password":"******'],
  // Keys and tokens.
  [pem('PRIVATE KEY'), '-----BEGIN PRIVATE KEY-----******-----END PRIVATE KEY-----'],
  [`a ${pem('RSA PRIVATE KEY')} b`, 'a -----BEGIN RSA PRIVATE KEY-----******-----END RSA PRIVATE KEY----- b'],
  ['-----BEGIN PRIVATE KEY-----\nMII', '-----BEGIN PRIVATE KEY-----******'],
  ['ghp_0123456789012345678901234567890123ab', '******'],
  ['github_pat_11ABCDEFG0abcdefghij_klmno', '******'],
  ['xoxb-123456789012-abc', '******'],
  ['sk_live_51Hunter2Hunter2', '******'],
  ['key sk-proj-abcdefghijklmnop1', 'key ******'],
  ['sk-Hunter2', '******'],
  ['AKIAIOSFODNN7EXAMPLE', '******'],
  // Without any digit, as some have by chance and those of Hugging Face always.
  ['hf_abcdefghijklmnopqrstuvwxyzABCDEFGH', '******'],
  ['token hf_abcdefghijklmnopqrstuvwxyzABCDEFGH refused', 'token ****** refused'],
  ['ghp_abcdefghijklmnopqrstuvwxyzABCDEFGHIJ', '******'],
  ['glpat-abcdefghijKLMNOPQRST', '******'],
  ['AKIAABCDEFGHIJKLMNOP', '******'],
  ['AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', '******:******'],
  ['AIzaSyA1234567890abcdefghijklmnopqrstuv', '******'],
  ['SG.Ab0123456789abcdef.Ab0123456789abcdefghij', '******'],
  ['re_AbCdEf12_0123456789abcdefABCDEFGH', '******'],
  ['key-3ax6xnjp29jd6fds4gc373sgvjxteol0', '******'],
  ['sdk-0b6e3a4c-1f0e-4b7e-9a65-3c2d1e0f9a8b', '******'],
  ['the hf_AbCdEfGhIjKlMnOpQrSt0123456789 of it', 'the ****** of it'],
  ['hvs.CAESIJ0123456789abcdefghij', '******'],
  [jwt, '******'],
  [`the token ${jwt}.`, 'the token ******'],
  // User-info.
  ['mongodb://u:pw/leak@h/db', 'mongodb://******@h/db'],
  ['https://u:pw#leak@h', 'https://******@h'],
  ['https://u:pw?leak@h', 'https://******@h'],
  ['postgres://u:pw leak@h/db', 'postgres://******@h/db'],
  ['redis://:pw/leak@h', 'redis://******@h'],
  ['https:/u:p@h', 'https:/******@h'],
  ['https:\\\\u:p@h', 'https:\\\\******@h'],
  ['postgres:\\/\\/u:p@h', 'postgres:\\/\\/******@h'],
  ['https:///u:p@h', 'https:///******@h'],
];

const ordinaryTexts: readonly string[] = [
  'Basic usage of the API',
  'Bearer of bad news',
  'Bearer authentication',
  'Basic authentication is on',
  'sk-learn',
  'sk-learn-contrib',
  'sk-SK',
  'task-1234567890123456789012',
  '?page=2&sort=asc',
  'https://example.org/?page=2&key=name&q=token',
  'the token= is empty',
  'token == other',
  'a => token=>b',
  'max_tokens=4096&tokenCount=3',
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
  'sent 12 words, Basic and Bearer among them',
  '{"a":"b","tokenCount":3,"password":null}',
  '{"user":"ada","note":"the password is long"}',
  'say "password" and enter',
  'Content-Type: text/html\r\nX-Request-Id: abc123\r\nHost: a',
  'Token: expired, please log in',
  'http://localhost:8080/@vite/client',
  'http://[::1]:3000/a@b',
  'https://example.org/@user/post',
  'http://host:/@x',
  'C:/Users/me@home',
  'C:\\Users\\me@home',
  'mail me@home at 12:30',
  '-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----',
  '2019-12-24T12:00:00.000Z',
  'xoxo-',
  'ghp_short',
  'a=b;c=d',
];

describe('a secret is masked by its form', () => {
  it.each(secretTexts)('%j', (text, shown) => {
    expect(maskByForm(text)).toBe(shown);
    expect(maskByForm(shown)).toBe(shown);
  });

  it.each(secretTexts)('in documents and outlines, and cannot be found: %j', async (text, shown) => {
    const bean = { text, list: [text], map: new Map([['a', text]]) };
    for (const document of everyWay(bean))
      expect(JSON.parse(document)).toEqual({ text: shown, list: [shown], map: { a: shown } });
    const [plain, ...others] = everyWay(bean, { format: 'xml' });
    for (const other of others) expect(other).toBe(plain);
    expect(outline({ text }).entries[0]?.preview).toBe(shown);
    expect((await find(bean, 'Hunter2')).hits).toEqual([]);
  });

  it.each(secretTexts.filter(([text]) => text.length >= 20))('as a key: %j', (text, shown) => {
    for (const document of everyWay(new Map([[text, 1]]))) expect(JSON.parse(document)).toEqual({ [shown]: 1 });
  });

  it('also as a key, unless the key is short', () => {
    for (const document of everyWay(new Map([[jwt, 1]]))) expect(document).toBe('{"******":1}');
    for (const document of everyWay({ 'a=b&token=x': 1 })) expect(document).toBe('{"a=b&token=x":1}');
  });
});

describe('an ordinary text stays as it is', () => {
  it.each(ordinaryTexts)('%j', (text) => {
    expect(maskByForm(text)).toBe(text);
    for (const document of everyWay([text])) expect(JSON.parse(document)).toEqual([text]);
  });
});

describe('an item that is named by the one before it', () => {
  it.each<[readonly unknown[], readonly unknown[]]>([
    [
      ['--password', 'abc', '--port', '80'],
      ['--password', '******', '--port', '80'],
    ],
    [
      ['-token', 'abc'],
      ['-token', '******'],
    ],
    [
      ['password', 'abc'],
      ['password', '******'],
    ],
    [
      [
        ['authorization', 'abc'],
        ['host', 'a'],
      ],
      [
        ['authorization', '******'],
        ['host', 'a'],
      ],
    ],
    [
      ['Host', 'a', 'Cookie', 'b', 'X-Api-Key', 'c', 'Accept', 'd'],
      ['Host', 'a', 'Cookie', '******', 'X-Api-Key', '******', 'Accept', 'd'],
    ],
    // Lists of names, and what is no text.
    [
      ['id', 'email', 'password', 'role'],
      ['id', 'email', 'password', 'role'],
    ],
    [
      ['id', 'Cookie', 'role', 'x'],
      ['id', 'Cookie', 'role', 'x'],
    ],
    [
      ['Host', 'Cookie', 'role'],
      ['Host', 'Cookie', 'role'],
    ],
    [
      ['tokens', 5],
      ['tokens', 5],
    ],
    [
      ['my password', 'abc'],
      ['my password', 'abc'],
    ],
    [
      ['--password=x', 'abc'],
      ['--password=******', 'abc'],
    ],
  ])('%j', (list, shown) => {
    for (const document of everyWay({ list })) expect(JSON.parse(document)).toEqual({ list: shown });
    expect(outline({ list }, { levels: 3 }).entries[0]?.entries?.entries.map(({ preview }) => preview)).toEqual(
      shown.map((each) => (Array.isArray(each) ? expect.anything() : String(each))),
    );
  });

  it('is masked in the preview of its list', () => {
    expect(outline({ list: ['--password', 'abc'] }, { levels: 1 }).entries[0]?.preview).toBe('["--password", ******]');
  });

  it('is not named by the result of a getter', () => {
    const list = Object.defineProperty(['', 'shown'], 0, { get: () => 'password', enumerable: true });
    for (const document of everyWay(list)) expect(document).toBe('["password","shown"]');
  });
});

describe('a hostile text', () => {
  it.each([
    '=',
    '"',
    '"a":',
    'password=x&',
    '"password":"a",',
    '"password":[',
    'sk-',
    'eyJ-',
    'Bearer a ',
    'https://a:b/ ',
    '-----BEGIN PRIVATE KEY-----',
    'a@b:/',
    ':\\@',
  ])('takes linear time: %j', (piece) => {
    // Otherwise the time of this test would be up.
    const count = Math.floor(1_000_000 / piece.length);
    expect(maskByForm(piece.repeat(count)).length).toBeGreaterThan(0);
  });
});
