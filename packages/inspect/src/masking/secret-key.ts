/** Words that name a secret wherever they stand in a key. */
const secretWord =
  /^(?:passwd|passphrase|passcode|passkey|credential|authorization|cookie|jwt)s?$|(?:password|passwd|secret|token|apikey|privatekey|accesskey|accountkey|secretkey|sessionid|sessid|connectionstring)s?$|pwd$/;

/** Words that name a secret only at the end of a key: `dbPass` and `userPin`, but not `passRate` or `pinCount`. */
const lastWord =
  /^(?:(?:pg|my|db|sql|mysql|user|root|admin|login|auth|smtp|mail|imap|ftp|ssh|http|proxy|ldap|redis|key|store)?pass|bearer|h?otp|totp|pin|dsn)$/;

const secretPair =
  /^(?:pass (?:word|phrase|code|key)s?|(?:private|api|access|account|auth|encryption|decryption|signing|shared|master|subscription|session|ssh|tls|ssl|hmac) keys?|connection strings?|session ids?|(?:connect|session) sid|(?:otp|pin|recovery|backup) codes?|(?:seed|recovery) phrases?)$/;

/** Names of folders in every environment, unlike any other `pwd`. */
const folderVariables = new Set(['PWD', 'OLDPWD']);

const secretHint =
  /pass|pwd|jwt|secret|token|credential|authorization|cookie|key|connection|session|sessid|bearer|otp|pin|dsn|sid|phrase|code/i;

/** Every secret key has one of these pairs of letters, so that most other keys need no closer look. */
const secretLetterPairs = 'ss pw jw cr ke za ki nn be si ot pi ds hr ov ku';
const letterCount = 27;
const isSecretLetterPair = new Uint8Array(letterCount * letterCount);
/** The number of each letter, in either case; 0 for all else. */
const letters = new Uint8Array(0x10000);
for (let letter = 1; letter < letterCount; letter++) {
  letters[0x40 + letter] = letter;
  letters[0x60 + letter] = letter;
}
for (const pair of secretLetterPairs.split(' ')) {
  isSecretLetterPair[(letters[pair.charCodeAt(0)] as number) * letterCount + (letters[pair.charCodeAt(1)] as number)] =
    1;
}

/** Where the words of a key are: `APIKey` is `API` and `Key`. */
const wordPattern = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+/gu;

/** The same where the word after an acronym begins with a small letter: `APIkey` is `API` and `key`. */
const acronymPattern = /\p{Lu}{2,}|\p{Lu}?\p{Ll}+|\p{Lo}+/gu;

/** Where the two differ, which is rare. */
const acronymEnd = /\p{Lu}{2}\p{Ll}/u;

/** A key longer than this is data, not a property's name; it also bounds the work. */
const longestName = 1024;

/** Whether a key, read word by word, names a secret: `accessToken` and `API_KEY` do, `tokenizer` and `monkey` do not. */
export function isSecretKey(key: string): boolean {
  if (key.length > longestName || !hasSecretLetterPair(key) || !secretHint.test(key)) return false;
  if (folderVariables.has(key)) return false;
  if (isSecretName(wordsOf(key, wordPattern))) return true;
  return acronymEnd.test(key) && isSecretName(wordsOf(key, acronymPattern));
}

/** The words of a key in camel, snake, kebab or any other case, in lower case: `dbPassword2` is `db`, `password`. */
function wordsOf(key: string, pattern: RegExp): string[] {
  return (key.match(pattern) ?? []).map((word) => word.toLowerCase());
}

function isSecretName(words: readonly string[]): boolean {
  const last = words.at(-1) as string;
  if (lastWord.test(last) || (last === 'sid' && words.length === 1)) return true;
  return words.some((word, index) => secretWord.test(word) || secretPair.test(`${words[index - 1]} ${word}`));
}

function hasSecretLetterPair(key: string): boolean {
  let found = 0;
  let previous = 0;
  for (let index = 0; index < key.length; index++) {
    const letter = letters[key.charCodeAt(index)] as number;
    found |= isSecretLetterPair[previous * letterCount + letter] as number;
    previous = letter;
  }
  return found !== 0;
}
