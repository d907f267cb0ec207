/** What is secret under a key: nothing, texts, texts and numbers, or everything. */
export type Secrecy = 0 | 1 | 2 | 3;
export const noSecret = 0 as const;
export const textsSecret = 1 as const;
export const textsAndNumbersSecret = 2 as const;
export const allSecret = 3 as const;

/** Words that mark a secret anywhere in a key. */
const secretWord =
  /^(?:passwd|passphrase|passcode|passkey|credential|cred|authorization|cookie|jwt|mnemonic)s?$|(?:password|passwd|secret|token|(?:api|private|access|account|secret|master|signing|shared|encryption|decryption|session|auth|hmac|ssh|javascript)key|sessionid|sessid|connectionstring|(?:recovery|backup)code|seedphrase)s?$|pwds?$/;

/** Words that mark a secret only at the end of a key: `dbPass` and `userPin`, but not `passRate` or `pinCount`. */
const lastWord =
  /^(?:(?:pg|my|db|sql|mysql|user|root|admin|login|auth|smtp|mail|imap|ftp|ssh|http|proxy|ldap|redis|key|store)?pass|[a-z]*pw|bearer|h?otp|totp|pin|cv[vcn]|csc|ssn|dsn)$/;

const secretPair =
  /^(?:pass (?:word|phrase|code|key)s?|(?:private|api|access|account|auth|encryption|decryption|signing|shared|master|javascript|client|subscription|session|event|ssh|tls|ssl|hmac|sdk|basic|application|cipher|licen[cs]e|admin|write|integration|instrumentation) keys?|connection strings?|session ids?|(?:connect|session) sid|(?:otp|pin|recovery|backup) codes?|(?:seed|recovery|backup|secret) phrases?|(?:master|wallet|root|hd) seed|extended keys?)$/;

/** Words that mark a secret only as the whole key: `auth`, but not `bearerAuth`. */
const wholeKey = /^(?:sid|auth|phrase|entropy|seed|pem|pfx)$/;

/** Names of private key files: `p12`, `id_rsa`. */
const keyFile = /(?:^|[^a-z\d])(?:p12|id_?(?:rsa|dsa|ecdsa|ed25519))$/i;

/** Last words of keys for facts about a secret: `cookieName`, `jwtAlgorithm`. */
const factWord = /^(?:names?|alg|algorithms?)$/;

/** Settings beside a secret, such as those of a cookie or a token. */
const settingKey =
  /^(?:alg|algorithms?|names?|type|issuer|iss|audience|aud|expires_?in|max_?age|path|domain|same_?site)$/i;

/** Whether a key of plain data under a secret key is that of a setting. */
export const isSettingKey = (key: string): boolean => settingKey.test(key);

/** Last words of keys whose secret can be a number. Not `tokens`, whose number is a count. */
const numericWord =
  /^(?:h?otp|totp|pin|cv[vcn]|csc|ssn|[a-z]*password|passwd|passcode|pwd)$|^(?:otp|pin|pass) (?:code|word)$/;

/** Environment variables with folders, not passwords. */
const folderVariables = new Set(['PWD', 'OLDPWD']);

/** Every secret key matches this, except names of key files; other keys are not split into words. */
const mayNameSecret =
  /pass|pwd|jwt|secret|token|credential|authorization|cookie|key|connection|session|sessid|bearer|otp|pin|dsn|sid|phrase|code|cred|mnemonic|entropy|seed|pem|pfx|pw|cv[vcn]|csc|ssn|auth/i;

/** The words of a key: `APIKey` is `API` and `Key`. */
const wordPattern = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+/gu;

/** The words if an acronym is followed by lower case: `APIkey` is `API` and `key`. */
const acronymPattern = /\p{Lu}{2,}|\p{Lu}?\p{Ll}+|\p{Lo}+/gu;

/** Whether the two patterns may differ. */
const acronymEnd = /\p{Lu}{2}\p{Ll}/u;

/** Longer keys are data, not names of properties. */
const maxNameLength = 1024;

/** Whether a key, read word by word, names a secret: `accessToken` and `API_KEY` do, `tokenizer` and `monkey` do not. */
export function isSecretKey(key: string): boolean {
  return secrecyOfKey(key) !== noSecret;
}

/** Memoized, since keys repeat. */
const cache = new Map<string, Secrecy>();
const maxCached = 2000;

export function secrecyOfKey(key: string): Secrecy {
  let secrecy = cache.get(key);
  if (secrecy !== undefined) return secrecy;
  if (key.length > maxNameLength) return noSecret;
  const mayBeSecret = mayNameSecret.test(key) && !folderVariables.has(key);
  secrecy = mayBeSecret ? secrecyOfWords(wordsOf(key, wordPattern)) : noSecret;
  if (mayBeSecret && secrecy === noSecret && acronymEnd.test(key))
    secrecy = secrecyOfWords(wordsOf(key, acronymPattern));
  if (secrecy === noSecret && keyFile.test(key)) secrecy = textsSecret;
  if (cache.size >= maxCached) cache.clear();
  cache.set(key, secrecy);
  return secrecy;
}

/** The words of a key in camel, snake, kebab or any other case, in lower case: `dbPassword2` is `db`, `password`. */
function wordsOf(key: string, pattern: RegExp): string[] {
  return (key.match(pattern) ?? []).map((word) => word.toLowerCase());
}

function secrecyOfWords(words: readonly string[]): Secrecy {
  if (!isSecretName(words)) return noSecret;
  const last = words.at(-1) as string;
  return numericWord.test(last) || numericWord.test(`${words.at(-2)} ${last}`) ? textsAndNumbersSecret : textsSecret;
}

function isSecretName(words: readonly string[]): boolean {
  const last = words.at(-1) as string;
  if (factWord.test(last)) return false;
  if (lastWord.test(last) || (words.length === 1 && wholeKey.test(last))) return true;
  return words.some((word, index) => secretWord.test(word) || secretPair.test(`${words[index - 1]} ${word}`));
}
