import { isSecretKey, nothing, type Secrecy, secrecyOfKey, texts } from './secret-key.ts';
import { maskMark } from './secrets.ts';

/** Every text that a rule may change has one of these. The rarest sign of each stands first, so that most texts are told at once. */
const hint =
  /[@="]|_(?<=(?:gh[opsur]|pat|[sr]k|npm|re|hf|gsk|ntn|shp[a-z]{2}|do[opr]|lin|sb|whsec|phx)_)|-(?<=(?:pat|xox[a-z]|[sr]k|key|GOCSPX|xapp|sdk)-)|\.(?<=(?:SG|hvs|ya29)\.)|: (?<=(?:[nN]|[eEyYtT] ?): )| (?<=(?:[Bb]earer|[Bb]asic) )|J(?<=eyJ)|KEY(?<=PRIVATE KEY)|IA(?<=A[KS]IA)|Iza(?<=AIza)/;

/** The text without what tells by its form that it is a secret. The original is the text before known secrets were masked in it. */
export function maskByForm(text: string, original = text): string {
  if (!hint.test(original)) return text;
  let shown = text;
  if (text.includes('@')) shown = maskUserInfo(shown);
  if (text.includes('=')) shown = shown.replace(pair, maskPair);
  if (text.includes('"')) shown = maskJson(shown);
  return maskTokens(maskHeaders(shown.replace(privateKey, `$1${maskMark}$2`)), original);
}

const privateKey = /(-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----).*?(-----END|$)/gs;

/** Whether bytes are the text of a private key, as `readFileSync` reads it for TLS. */
export function isPrivateKey(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.includes('PRIVATE KEY') && buffer.toString('latin1').search(privateKey) >= 0;
}

/** The user-info of a URL, up to the last `@` of its authority (RFC 3986, section 3.2); with other slashes only `user:password`. */
const userInfo = /(:\/\/)[^\s/?#"'<>]+(?=@)|(:[/\\]+)[^\s/\\@:?#]*:[^\s@/]*(?=@)/g;
/** A user and a password with a sign in it that should have been escaped: `u:a/b@h`, but not `localhost:80/@x`. */
const rawUserInfo = /(:\/\/)[^\s/?#"'<>@:[\]]*:(?!\d*[/?#])[^\r\n"'<>@:]{1,256}(?=@)/g;

const maskUserInfo = (text: string) => text.replace(userInfo, `$1$2${maskMark}`).replace(rawUserInfo, `$1${maskMark}`);

/** `name=value`: in a query, between semicolons as in connection strings, or on its own as in environments. */
const pair =
  /(^|[^\w.\-[\]%])([\w.\-[\]%]{1,64})=(?:(?<=[?&][^=]*=)([^&#\s"'<>\\]+)|("[^"]*|'[^']*)|(?:(?<=;[^=;]{1,64}=)|(?=[^&\r\n]{0,256};))([^;"\r\n=][^;"\r\n]*)|([^\s"'=>&;,][^\s&;,"'<>)\\]*))/g;
/** In the query of a URL, a signature is what lets anybody in who has the address. */
const queryName = /^(?:sig|signature|x-amz-signature|x-goog-signature|hmac)$/i;
const countOrFlag = /^(?:-?\d{1,12}(?:\.\d+)?|true|false)$/;

function maskPair(all: string, before: string, name: string, ...values: (string | undefined)[]): string {
  const secrecy: Secrecy = queryName.test(name) ? texts : secrecyOfKey(name);
  const value = values.slice(0, 4).find((each) => each !== undefined) ?? '';
  if (secrecy === nothing || (secrecy === texts && countOrFlag.test(value))) return all;
  return `${before}${name}=${/^["']/.exec(value)?.[0] ?? ''}${maskMark}`;
}

/** A text or a number behind a key in JSON, which may itself be a text in JSON. */
const jsonPairs = [
  /(")([\w $.@/-]{1,64})"(\s{0,20}:\s{0,20})(?:"((?:[^"\\]|\\.)*)|-?\d+)/gs,
  /(\\")([\w $.@/-]{1,64})\\"(\s{0,20}:\s{0,20})\\"((?:(?!\\").)*)/gs,
];

function maskJson(text: string): string {
  return jsonPairs.reduce((shown, pattern) => shown.replace(pattern, maskJsonPair), text);
}

function maskJsonPair(all: string, quote: string, name: string, colon: string, text?: string): string {
  const secrecy = secrecyOfKey(name);
  if (secrecy === nothing || (typeof text !== 'string' && secrecy === texts)) return all;
  return `${quote}${name}${quote}${colon}${typeof text === 'string' ? quote : ''}${maskMark}`;
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
  return Buffer.from(token, 'base64').toString('latin1').includes(':');
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
