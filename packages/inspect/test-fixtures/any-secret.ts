import fc from 'fast-check';

/** One way in which a text travels, and the way back. */
export interface Encoding {
  readonly name: string;
  readonly encode: (text: string) => string;
  readonly decode: (text: string) => string;
}

const hex = (code: number, length: number) => code.toString(16).padStart(length, '0');
const inBase64 = (bytes: Buffer) => bytes.toString('base64');
const fromHex = (text: string) => Buffer.from(text.replace(/[^\da-f]/gi, ''), 'hex').toString();
const withoutQuotes = (literal: string) => literal.slice(1, -1);
const asJson = (text: string) => withoutQuotes(JSON.stringify(text));
const fromJson = (text: string) => JSON.parse(`"${text}"`) as string;
const inLowerCase = (text: string) => text.replace(/%../g, (sequence) => sequence.toLowerCase());
const addressBase = 'http://host/';
const fromForm = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
const withBackslashes = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
const fromBackslashes = (text: string) =>
  text.replace(/\\x(..)|\\(.)/gs, (_, code: string | undefined, sign: string) =>
    code === undefined ? sign : String.fromCharCode(Number.parseInt(code, 16)),
  );
const references = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const fromXml = (text: string) =>
  text
    .replace(/&#(?:x([\da-f]+)|(\d+));/gi, (_, digits: string | undefined, decimal: string) =>
      String.fromCodePoint(digits === undefined ? Number(decimal) : Number.parseInt(digits, 16)),
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

export const encodings: readonly Encoding[] = [
  { name: 'plain', encode: (text) => text, decode: (text) => text },
  {
    name: 'base64',
    encode: (text) => inBase64(Buffer.from(text)),
    decode: (text) => Buffer.from(text, 'base64').toString(),
  },
  {
    name: 'base64 without padding',
    encode: (text) => inBase64(Buffer.from(text)).replaceAll('=', ''),
    decode: (text) => Buffer.from(text, 'base64').toString(),
  },
  {
    name: 'base64url',
    encode: (text) => Buffer.from(text).toString('base64url'),
    decode: (text) => Buffer.from(text, 'base64url').toString(),
  },
  {
    name: 'base64 of UTF-16',
    encode: (text) => inBase64(Buffer.from(text, 'utf16le')),
    decode: (text) => Buffer.from(text, 'base64').toString('utf16le'),
  },
  {
    name: 'base64 of JSON',
    encode: (text) => inBase64(Buffer.from(JSON.stringify({ text }))),
    decode: (text) => Buffer.from(text, 'base64').toString().replaceAll('\\"', '"').replaceAll('\\\\', '\\'),
  },
  {
    name: 'base64 with escaped slashes',
    encode: (text) => inBase64(Buffer.from(text)).replaceAll('/', '\\/'),
    decode: (text) => Buffer.from(text.replaceAll('\\', ''), 'base64').toString(),
  },
  { name: 'hexadecimal', encode: (text) => Buffer.from(text).toString('hex'), decode: fromHex },
  {
    name: 'upper-case hexadecimal',
    encode: (text) => Buffer.from(text).toString('hex').toUpperCase(),
    decode: fromHex,
  },
  { name: 'encodeURI', encode: encodeURI, decode: decodeURIComponent },
  { name: 'encodeURIComponent', encode: encodeURIComponent, decode: decodeURIComponent },
  {
    name: 'percent-encoding in lower case',
    encode: (text) => inLowerCase(encodeURIComponent(text)),
    decode: decodeURIComponent,
  },
  {
    name: 'percent-encoding of all',
    encode: (text) => [...Buffer.from(text)].map((byte) => `%${hex(byte, 2)}`).join(''),
    decode: decodeURIComponent,
  },
  {
    name: 'percent-encoding twice',
    encode: (text) => encodeURIComponent(encodeURIComponent(text)),
    decode: (text) => decodeURIComponent(decodeURIComponent(text)),
  },
  { name: 'form', encode: (text) => new URLSearchParams({ a: text, b: 'c' }).toString(), decode: fromForm },
  {
    name: 'path of a URL',
    encode: (text) => new URL(addressBase + text).href,
    decode: (text) => decodeURIComponent(text),
  },
  { name: 'JSON', encode: asJson, decode: fromJson },
  {
    name: 'JSON with escaped slashes',
    encode: (text) => asJson(text).replaceAll('/', '\\/'),
    decode: fromJson,
  },
  {
    name: 'JSON in ASCII',
    encode: (text) => asJson(text).replace(/[^ -~]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`),
    decode: fromJson,
  },
  {
    name: 'JSON in JSON',
    encode: (text) => asJson(JSON.stringify({ a: text })),
    decode: (text) => fromJson(fromJson(text).slice(1, -1).replace('"a":"', '').slice(0, -1)),
  },
  {
    name: 'JSON in a URL',
    encode: (text) => encodeURIComponent(asJson(text)),
    decode: (text) => fromJson(decodeURIComponent(text)),
  },
  {
    name: 'XML',
    encode: (text) => text.replace(/[&<>"']/g, (sign) => references[sign as keyof typeof references]),
    decode: fromXml,
  },
  {
    name: 'numeric references',
    encode: (text) => text.replace(/[^\w ]/gu, (sign) => `&#x${hex(sign.codePointAt(0) ?? 0, 2)};`),
    decode: fromXml,
  },
  { name: 'source of a RegExp', encode: (text) => withBackslashes(text), decode: fromBackslashes },
  {
    name: 'RegExp.escape',
    encode: (text) =>
      text
        .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
        .replace(/^[\da-z]|[ ,\-=<>#&!%:;@~'`"]/gi, (sign) => `\\x${hex(sign.charCodeAt(0), 2)}`),
    decode: fromBackslashes,
  },
  {
    name: 'list of bytes',
    encode: (text) => JSON.stringify([...Buffer.from(text)]),
    decode: (text) => Buffer.from((text.match(/\d+/g) ?? []).map(Number)).toString(),
  },
];

const signs = Array.from(' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~éöß€漢😀');
const letters = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');

const secretText = (characters: string[]) =>
  fc.array(fc.constantFrom(...characters), { minLength: 6, maxLength: 24 }).map((text) => text.join(''));

/** Secrets as people and machines make them; the first characters make sure that no random text is one. */
export const anySecret = fc
  .oneof(secretText(letters), secretText(signs), secretText([...letters, ...letters, ...signs]))
  .map((text) => `K7${text}`);

/** What may stand around a secret, or alone: it has no capital K and no 7. */
export const anySurrounding = fc
  .array(fc.constantFrom(...letters.filter((each) => !'K7'.includes(each)), ...signs, '%20', '\\n', '&amp;', '\\\\"'), {
    maxLength: 40,
  })
  .map((text) => text.join(''));
