import { maskMark } from './mask-mark.ts';
import { isSecretKey, nothing, type Secrecy, secrecyOfKey, texts, textsAndNumbers } from './secret-key.ts';

/**
 * The text without what tells by its form that it is a secret. Linear in the length, since the text may be hostile.
 * The original is the text before other rules masked a part of it, which may have told what the rest is.
 */
export function maskByForm(text: string, original = text): string {
  let shown = text;
  if (text.includes('@')) shown = maskUserInfo(shown);
  if (text.includes('PRIVATE KEY')) shown = shown.replace(privateKey, `$1${maskMark}$2`);
  if (text.includes('=')) shown = maskPairs(shown);
  if (text.includes('"')) shown = maskJson(shown);
  if (mayHaveScheme(text)) shown = maskHeaders(shown);
  return tokenHint.test(original) ? maskTokens(shown, original) : shown;
}

const privateKey = /(-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----).*?(-----END|$)/gs;

/** Whether bytes are the text of a private key, as `readFileSync` reads it for TLS. */
export function isPrivateKey(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.includes('PRIVATE KEY') && buffer.toString('latin1').search(privateKey) >= 0;
}

/** For texts with a sign that such a text has; most of these are something else. */
const pairHint =
  /(?:pass|pw|jwt|secret|token|cred|auth|cookie|key|sess|bearer|otp|pin|dsn|sid|sig|cv|csc|ssn|phrase|code|mnemonic|connection)[\w.\-%[\]]*=|:[/\\]|"\s*:/i;
const schemeHint = /(?:bearer|basic) |(?:authorization|cookie|-token|-key|-secret) ?:/i;
const tokenHint =
  /eyJ|AKIA|ASIA|AIza|gh[opsur]_|github_pat_|glpat-|xox[a-z]-|[sr]k_(?:live|test)_|sk-|npm_|PRIVATE KEY|\b(?:SG\.|re_|key-|hf_|gsk_|ntn_|shp|do[opr]_|lin_|sb_s|whsec_|phx_|hvs\.|GOCSPX-|ya29\.|xapp-|sdk-)/;
const tokenStart = /^(?:A[KS]IA|AIza|glpat-|GOCSPX-)/;

export const mayHavePair = (text: string): boolean => pairHint.test(text);
export const mayHaveScheme = (text: string): boolean => schemeHint.test(text);
export const mayHaveToken = (text: string): boolean => tokenHint.test(text);
/** Those that may have neither a digit nor an underscore. */
export const beginsToken = (text: string): boolean => tokenStart.test(text);

const authority = '://';
const authorityStart = /:[/\\]+/g;

/** Where the authority of a URL ends (RFC 3986, section 3.2), taking white space as the end of the URL. */
function endOfAuthority(text: string, from: number, last = text.length): number {
  let end = from;
  for (; end < last; end++) {
    const code = text.charCodeAt(end);
    if (code <= 0x20 || code === 0x2f || code === 0x3f || code === 0x23) break;
  }
  return end;
}

/** How far behind the end of an authority the `@` may be that a password with a slash in it has moved there. */
const longestPassword = 256;
const passwordEnd = /[\r\n"'<>@]|:\/\//g;

/** What looks like a user and a password, not like a host and a port: `u:pw`, but not `localhost:80` or `[::1]:80`. */
const userAndPassword = /^[^:@[\]]*:(?!\d*$)[^@]*$/;

/** A user and a password, in an address with one slash or with backslashes, which the URL parser takes too. */
const strictUserInfo = /^[^\s/\\@:?#]*:[^\s@]*@/;

/** The text with the user-info of every URL in it masked. */
function maskUserInfo(text: string): string {
  let masked = '';
  let written = 0;
  authorityStart.lastIndex = 0;
  for (let found = authorityStart.exec(text); found !== null; found = authorityStart.exec(text)) {
    const start = found.index + found[0].length;
    const at = found[0] === authority ? endOfUserInfo(text, start) : endOfStrictUserInfo(text, start);
    if (at <= start || start < written) continue;
    masked += text.slice(written, start) + maskMark;
    written = at;
  }
  return masked + text.slice(written);
}

/** Where the `@` is that ends the user-info; less than the start when there is none. */
function endOfUserInfo(text: string, start: number): number {
  const end = endOfAuthority(text, start);
  const within = text.slice(start, end);
  const at = within.lastIndexOf('@');
  if (at >= 0 || !userAndPassword.test(within)) return at < 0 ? -1 : start + at;
  passwordEnd.lastIndex = end;
  const stop = passwordEnd.exec(text.slice(0, end + longestPassword));
  return stop !== null && stop[0] === '@' ? stop.index : -1;
}

function endOfStrictUserInfo(text: string, start: number): number {
  const within = text.slice(start, endOfAuthority(text, start, Math.min(text.length, start + longestPassword)));
  return strictUserInfo.test(within) ? start + within.lastIndexOf('@') : -1;
}

/** Whether a text that was cut here may have lost the `@` that would have told user-info from a host. */
export function endsInsideAuthority(text: string): boolean {
  const last = text.lastIndexOf(authority);
  if (last < 0) return false;
  const start = last + authority.length;
  const end = endOfAuthority(text, start);
  if (end === text.length) return true;
  return (
    text.length - end < longestPassword && !text.includes('@', start) && userAndPassword.test(text.slice(start, end))
  );
}

const longestName = 64;
const namePart = /[\w.\-[\]%]/;
const isNamePart = new Uint8Array(0x10000);
for (let code = 0; code < 0x80; code++) isNamePart[code] = namePart.test(String.fromCharCode(code)) ? 1 : 0;

/** In the query of a URL, a signature is what lets anybody in who has the address. */
const queryName = /^(?:sig|signature|x-amz-signature|x-goog-signature|hmac)$/i;
const countOrFlag = /^(?:-?\d{1,12}(?:\.\d+)?|true|false)$/;

/** Each name is asked for once in a text that may have many of the same. */
class NameCheck {
  readonly #known = new Map<string, Secrecy>();

  secrecyOf(name: string): Secrecy {
    let secrecy = this.#known.get(name);
    if (secrecy === undefined) {
      secrecy = queryName.test(name) ? texts : secrecyOfKey(name);
      if (this.#known.size < 1000) this.#known.set(name, secrecy);
    }
    return secrecy;
  }
}

/** Masks the value of `name=value`, as in queries, forms, connection strings and environments. */
function maskPairs(text: string): string {
  const names = new NameCheck();
  let masked = '';
  let read = 0;
  for (let at = text.indexOf('='); at >= 0; at = text.indexOf('=', Math.max(at + 1, read))) {
    let start = at;
    while (start > read && at - start <= longestName && isNamePart[text.charCodeAt(start - 1)] === 1) start--;
    if (start === at || at - start > longestName) continue;
    const secrecy = names.secrecyOf(text.slice(start, at));
    if (secrecy === nothing) continue;
    const [from, end] = valueOfPair(text, at + 1, start === 0 ? '' : text.charAt(start - 1));
    if (end <= from || (secrecy === texts && countOrFlag.test(text.slice(from, Math.min(end, from + 32))))) continue;
    masked += text.slice(read, from) + maskMark;
    read = end;
  }
  return masked + text.slice(read);
}

const ends = {
  query: /[&#\s"'<>\\]|$/g,
  list: /[;"\r\n]|$/g,
  word: /[&;,\s"'<>)\\]|$/g,
} as const;

/** The value that begins here: to the next quote, semicolon, ampersand or white space, as what stands before it tells. */
function valueOfPair(text: string, from: number, before: string): readonly [number, number] {
  const first = text.charAt(from);
  if (first === '=') return [from, from];
  if (first === '"' || first === "'") {
    const close = text.indexOf(first, from + 1);
    return [from + 1, close < 0 ? text.length : close];
  }
  const end = before === '?' || before === '&' ? ends.query : isInList(text, from, before) ? ends.list : ends.word;
  end.lastIndex = from;
  return [from, end.exec(text)?.index ?? text.length];
}

/** Whether pairs are separated by semicolons, as in connection strings, whose values may have anything else in them. */
function isInList(text: string, from: number, before: string): boolean {
  if (before === ';') return true;
  const near = text.slice(from, from + longestPassword);
  return near.includes(';') && !near.includes('&');
}

const jsonKey = /(\\{0,7})"([\w $.@/-]{1,64})(\\{0,7})"\s{0,20}:\s{0,20}/g;

/** Masks the texts behind secret keys of JSON, which may itself be a text in JSON. */
function maskJson(text: string): string {
  const names = new NameCheck();
  let masked = '';
  let read = 0;
  jsonKey.lastIndex = 0;
  for (let found = jsonKey.exec(text); found !== null; found = jsonKey.exec(text)) {
    const [, escaping = '', name = '', sameEscaping] = found;
    const secrecy = escaping === sameEscaping ? names.secrecyOf(name) : nothing;
    if (secrecy === nothing) continue;
    const from = jsonKey.lastIndex;
    const [shown, end] = maskJsonValue(text, from, secrecy, escaping.length);
    if (end === from) continue;
    masked += text.slice(read, from) + shown;
    read = end;
    jsonKey.lastIndex = end;
  }
  return masked + text.slice(read);
}

/** A value without its texts, and where it ends; where it begins when there is nothing to mask. */
function maskJsonValue(text: string, from: number, secrecy: Secrecy, level: number): readonly [string, number] {
  const quote = `${'\\'.repeat(level)}"`;
  if (text.startsWith(quote, from)) {
    const end = endOfJsonText(text, from + quote.length, level);
    return [quote + maskMark + text.slice(end, end + quote.length), end + quote.length];
  }
  const first = text.charAt(from);
  if (first === '{' || first === '[') return maskJsonContainer(text, from, level);
  const number = /^-?\d+/.exec(text.slice(from, from + 20))?.[0] ?? '';
  return secrecy === textsAndNumbers && number !== '' ? [maskMark, from + number.length] : ['', from];
}

function maskJsonContainer(text: string, from: number, level: number): readonly [string, number] {
  const token = /\\{0,7}"|[[\]{}]/g;
  const quote = `${'\\'.repeat(level)}"`;
  let masked = '';
  let read = from;
  let depth = 0;
  token.lastIndex = from;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [sign] = found;
    if (sign === quote) {
      const start = token.lastIndex;
      const end = endOfJsonText(text, start, level);
      const isKey = /^\s{0,20}:/.test(text.slice(end + quote.length, end + quote.length + 21));
      if (!isKey) masked += text.slice(read, start) + maskMark;
      if (!isKey) read = end;
      token.lastIndex = Math.min(text.length, end + quote.length);
    } else if (sign === '{' || sign === '[') depth++;
    else if ((sign === '}' || sign === ']') && --depth === 0) break;
  }
  const end = depth === 0 ? token.lastIndex : text.length;
  return [masked + text.slice(read, end), end];
}

/** Where the text ends that began before this place: at a quote that is escaped as often as the first one. */
function endOfJsonText(text: string, from: number, level: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (first > from && text.charCodeAt(first - 1) === 0x5c) first--;
    const count = at - first;
    if (level === 0 ? count % 2 === 0 : count === level) return at - level;
  }
  return text.length;
}

const headerLine =
  /(^|[\r\n])((?:proxy-)?authorization|(?:set-)?cookie|[a-z]{1,20}-[\w-]{1,40})([ \t]?:[ \t]*)([^\r\n]+)/gi;
const credentials = /\b(bearer|basic)( +)([\w.~+/=-]{6,})/gi;

/** Masks header lines that carry a secret, and `Bearer …` and `Basic …` anywhere. */
function maskHeaders(text: string): string {
  return text
    .replace(headerLine, (line, start: string, name: string, colon: string) =>
      isSecretKey(name) ? `${start}${name}${colon}${maskMark}` : line,
    )
    .replace(credentials, (all, scheme: string, space: string, token: string) =>
      isCredential(scheme, token) ? `${scheme}${space}${maskMark}` : all,
    );
}

/** Unlike a word: `Basic usage` and `Bearer authentication` are prose. */
function isCredential(scheme: string, token: string): boolean {
  if (/\d/.test(token) && /[a-z]/i.test(token)) return true;
  if (scheme.toLowerCase() === 'bearer') return token.length >= 20;
  const pair = Buffer.from(token, 'base64').toString('latin1');
  return pair.includes(':') && /^[ -~]*$/.test(pair);
}

/** Tokens that begin with the name of whoever made them; each run of letters is taken once. */
const tokens =
  /\b(?:gh[opsur]_[A-Za-z\d]{16,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{8,}|[sr]k_(?:live|test)_\w{8,}|sk-[\w-]{7,}|(?:AKIA|ASIA)[A-Z\d]{16}\b|AIza[\w-]{35}|npm_[A-Za-z\d]{36}|SG\.[\w-]{16,}\.[\w-]{16,}|re_[A-Za-z\d]{6,}_[A-Za-z\d]{16,}|key-[\da-z]{32}\b|sdk-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?:hf|gsk|ntn|shp(?:at|ca|pa|ss)|do[opr]_v1|lin_api|sb_secret|whsec|phx)_[\w+/-]{20,}|(?:hvs\.|ya29\.|GOCSPX-|xapp-)[\w-]{20,}|eyJ[\w.-]{8,})/g;
const jwt = /^eyJ[\w-]{5,}\.[\w-]{4,}/;
const awsAccessKey = /\bA[KS]IA[A-Z\d]{16}\b/;
/** The secret that belongs to an access key of AWS. */
const awsSecret = /(?<![A-Za-z\d/+])[A-Za-z\d/+]{40}(?![A-Za-z\d/+=])/g;

function maskTokens(text: string, original: string): string {
  const masked = text.replace(tokens, (token) => (isToken(token) ? maskMark : token));
  return awsAccessKey.test(original) ? masked.replace(awsSecret, maskMark) : masked;
}

/** `sk-` also begins `sk-learn`, and `eyJ` any JSON in base64. */
function isToken(token: string): boolean {
  if (token.startsWith('eyJ')) return jwt.test(token);
  if (!token.startsWith('sk-')) return true;
  return /\d/.test(token) && (token.length >= 20 || /[A-Z]/.test(token));
}

const headerName = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|[a-z]+-[a-z-]+)$/i;

/** Whether an item of a list names the secret that comes next: `--password`, `['token', …]`, or a header of `rawHeaders`. */
export function namesNextItem(item: string, index: number, length: number): boolean {
  if (item.length > longestName || secrecyOfKey(item) === nothing) return false;
  const isFlag = item.charCodeAt(0) === 0x2d;
  const isPair = length === 2 && index === 0;
  if (!isFlag && !isPair && !(index % 2 === 0 && length % 2 === 0 && headerName.test(item))) return false;
  return !/\s|=/.test(item);
}
