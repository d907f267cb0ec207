const secretWord =
  /^(?:passwd|passphrase|passcode|credential|authorization|cookie|jwt)s?$|(?:password|passwd|secret|token|apikey|privatekey|connectionstring)s?$/;

/** Alone, `PWD` is a folder. */
const secretPair =
  /^(?:pass (?:word|phrase|code)s?|(?:private|api|access|encryption|signing|ssh) keys?|connection strings?|.* pwd)$/;

const secretHint = /pass|pwd|jwt|secret|token|credential|authorization|cookie|key|string/i;

/** Every hint has one of these letters, so that most keys, all made of digits and the like, need no closer look. */
const telltale = new Uint8Array(0x10000);
for (const letter of 'sklzwSKLZW') telltale[letter.charCodeAt(0)] = 1;

const wordPattern = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+/gu;

/** A key longer than this is data, not a property's name; it also bounds the work. */
const longestName = 1024;

/** The words of a key in camel, snake, kebab or any other case, in lower case: `dbPassword2` is `db`, `password`. */
export function wordsOf(key: string): string[] {
  return (key.match(wordPattern) ?? []).map((word) => word.toLowerCase());
}

/** Whether a key, read word by word, names a secret: `accessToken` and `API_KEY` do, `tokenizer` and `monkey` do not. */
export function isSecretKey(key: string): boolean {
  if (key.length > longestName || !hasTelltale(key) || !secretHint.test(key)) return false;
  const words = wordsOf(key);
  return words.some(
    (word, index) => secretWord.test(word) || (index > 0 && secretPair.test(`${words[index - 1]} ${word}`)),
  );
}

function hasTelltale(key: string): boolean {
  let found = 0;
  for (let index = 0; index < key.length; index++) found |= telltale[key.charCodeAt(index)] as number;
  return found !== 0;
}
