const replacement = '\uFFFD';

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

/** All but plain text: markup, the carriage return that a parser would turn into a line feed, what XML 1.0 forbids. */
const specialCharacters = /[^\t\n -%'-;=?-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Text as element content. */
export function xmlText(text: string): string {
  return text.replace(specialCharacters, (character) => references[character] ?? replacement);
}
