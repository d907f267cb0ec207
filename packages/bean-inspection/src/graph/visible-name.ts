/** U+2400 is the picture of NUL; of those above, only the space has one. */
const picture = (character: string) =>
  character < ' ' ? String.fromCharCode(0x2400 + character.charCodeAt(0)) : '\u{fffd}';

/** A name as it can stand in any drawing: control characters become the pictures of them, lone surrogates U+FFFD. */
export const visibleName = (name: string) =>
  Buffer.from(name)
    .toString()
    .replace(/[\p{Cc}\u2028\u2029\ufffe\uffff]/gu, picture) || '(no name)';
