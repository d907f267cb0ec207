import { isSecretKey, noSecret, type Secrecy, secrecyOfKey, textsSecret } from './secret-key.ts';
import { maskMark } from './secrets.ts';
import { tokenKinds, tokenRule } from './tokens.ts';

/** Recognises secrets by a pattern, and masks them. */
export interface TextRule {
  /** Every match contains this. A text without any hint is not searched further. */
  readonly hint: RegExp;
  /** @param original the text before known secrets were masked */
  readonly mask: (text: string, original: string) => string;
}

const privateKey = /(-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----).*?(-----END|$)/gs;

/** Whether bytes are the text of a private key, as `readFileSync` reads it for TLS. */
export function isPrivateKey(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes);
  return buffer.includes('PRIVATE KEY') && buffer.toString('latin1').search(privateKey) >= 0;
}

/** The user-info of a URL, up to the last `@` of its authority (RFC 3986, section 3.2); with other slashes only `user:password`. */
const userInfo = /(:\/\/)[^\s/?#"'<>]+(?=@)|(:[/\\]+)[^\s/\\@:?#]*:[^\s@/]*(?=@)/g;
/** A password with characters that should be escaped: `u:a/b@h`, but not `localhost:80/@x`. */
const rawUserInfo = /(:\/\/)[^\s/?#"'<>@:[\]]*:(?!\d*[/?#])[^\r\n"'<>@:]{1,256}(?=@)/g;

/** `//user:password@host`, `user:password@tcp(host)` of Go, and `jdbc:oracle:thin:user/password@host`. */
const otherUserInfo = [
  /(^|[\s"'=([{,])(\/\/)[^\s/?#"'<>@:]{0,64}:[^\s/?#"'<>@]{1,256}(?=@)/g,
  /(^|[\s"'=([{,])()[\w.%+-]{1,64}:[^\s"'()]{1,256}(?=@(?:tcp|udp|unix)\()/g,
  /(jdbc:oracle:\w{1,10}:)()[^\s/@"']{1,64}\/[^\s@"']{1,256}(?=@)/g,
];

function maskUserInfo(text: string): string {
  // Names of packages, `@a/b`, are common.
  if (!text.includes(':')) return text;
  const shown = text.replace(userInfo, `$1$2${maskMark}`).replace(rawUserInfo, `$1${maskMark}`);
  return otherUserInfo.reduce((masked, pattern) => masked.replace(pattern, `$1$2${maskMark}`), shown);
}

/** `name=value`: in a query, between semicolons as in connection strings, or on its own as in environments. */
const pair =
  /(^|[^\w.\-[\]%])([\w.\-[\]%]{1,64})=(?:(?<=[?&][^=]*=)([^&#\s"'<>\\]+)|("[^"]*|'[^']*)|(?:(?<=;[^=;]{1,64}=)|(?=[^&\r\n]{0,256};))([^;"\r\n=][^;"\r\n]*)|([^\s"'=>&;,][^\s&;,"'<>)\\]*))/g;
/** Signatures in the query of a URL grant access. */
const queryName = /^(?:sig|signature|x-amz-signature|x-goog-signature|hmac)$/i;
const countOrFlag = /^(?:-?\d{1,12}(?:\.\d+)?|true|false)$/;

function maskPair(all: string, before: string, name: string, ...values: (string | undefined)[]): string {
  const secrecy: Secrecy = queryName.test(name) ? textsSecret : secrecyOfKey(name);
  const value = values.slice(0, 4).find((each) => each !== undefined) ?? '';
  if (secrecy === noSecret || (secrecy === textsSecret && countOrFlag.test(value)) || /^(?:""?|'')$/.test(value))
    return all;
  return `${before}${name}=${/^["']/.exec(value)?.[0] ?? ''}${maskMark}`;
}

/** A string or number with its key in JSON, which may itself be a JSON string. */
const jsonPairs = [
  /(")([\w $.@/-]{1,64})"(\s{0,20}:\s{0,20})(?:"((?:[^"\\]|\\.)*)|-?\d+)/gs,
  /(\\")([\w $.@/-]{1,64})\\"(\s{0,20}:\s{0,20})\\"((?:(?!\\").)*)/gs,
];

function maskJson(text: string): string {
  return jsonPairs.reduce((shown, pattern) => shown.replace(pattern, maskJsonPair), text);
}

function maskJsonPair(all: string, quote: string, name: string, colon: string, text?: string): string {
  const secrecy = secrecyOfKey(name);
  if (secrecy === noSecret || text === '' || (text === undefined && secrecy === textsSecret)) return all;
  return `${quote}${name}${quote}${colon}${typeof text === 'string' ? quote : ''}${maskMark}`;
}

const headerLine =
  /(^|[\r\n])((?:proxy-)?authorization|(?:set-)?cookie|[a-z]{1,20}-[\w-]{1,40})([ \t]?:[ \t]*)([^\r\n]+)/gi;
const credentials = /\b(bearer|basic)( +)([\w.~+/=-]{6,})/gi;

const maskHeaders = (text: string) =>
  text.replace(headerLine, (line, start: string, name: string, colon: string) =>
    isSecretKey(name) ? `${start}${name}${colon}${maskMark}` : line,
  );

const maskCredentials = (text: string) =>
  text.replace(credentials, (all, scheme: string, space: string, token: string) =>
    isCredential(scheme, token) ? `${scheme}${space}${maskMark}` : all,
  );

/** `Basic usage` and `Bearer authentication` are prose. */
function isCredential(scheme: string, token: string): boolean {
  if (/\d/.test(token) && /[a-z]/i.test(token)) return true;
  if (scheme.toLowerCase() === 'bearer') return token.length >= 20;
  return Buffer.from(token, 'base64').toString('latin1').includes(':');
}

const awsAccessKey = /\bA[KS]IA[A-Z\d]{16}\b/;
/** The secret of an AWS access key. */
const awsSecret = /(?<![A-Za-z\d/+])[A-Za-z\d/+]{40}(?![A-Za-z\d/+=])/g;

/** All rules, in this order. */
const rules: readonly TextRule[] = [
  { hint: /@/, mask: maskUserInfo },
  { hint: /=/, mask: (text) => text.replace(pair, maskPair) },
  { hint: /"/, mask: maskJson },
  { hint: /KEY(?<=PRIVATE KEY)/, mask: (text) => text.replace(privateKey, `$1${maskMark}$2`) },
  { hint: /: (?<=(?:[nN]|[eEyYtT] ?): )/, mask: maskHeaders },
  { hint: / (?<=(?:[Bb]earer|[Bb]asic) )/, mask: maskCredentials },
  tokenRule(tokenKinds),
  {
    hint: /IA(?<=A[KS]IA)/,
    mask: (text, original) => (awsAccessKey.test(original) ? text.replace(awsSecret, maskMark) : text),
  },
];

const anyHint = new RegExp(rules.map(({ hint }) => hint.source).join('|'));

/** Masks secrets that are recognised by a pattern. */
export function maskByPattern(text: string, original = text): string {
  if (!anyHint.test(original)) return text;
  return rules.reduce((shown, { hint, mask }) => (hint.test(original) ? mask(shown, original) : shown), text);
}
