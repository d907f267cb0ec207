const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

/** Text that needs no escaping: no markup, no carriage return, which parsers change, and nothing that XML 1.0 forbids. */
const plain = "\\t\\n -%'-;=?-\\ud7ff\\ue000-\\ufffd";
const notPlain = new RegExp(`[^${plain}]`);
const special = new RegExp(`[^${plain}\\u{10000}-\\u{10ffff}]`, 'gu');

/** Text as element content. */
export function xmlText(text: string): string {
  return notPlain.test(text) ? text.replace(special, (sign) => references[sign] ?? '\uFFFD') : text;
}
