/** Begins every text that was changed, so texts that begin with it themselves are changed too. */
const mark = '\\';
const loneSurrogate = /[\ud800-\udfff]/u;

/**
 * A text in a form that every store of texts gives back as it came. Nearly all texts are that already; those with NUL or lone
 * surrogates, which databases and UTF-8 lose, are written as JSON escapes them.
 */
export function toStorableText(text: string): string {
  const isStorable = !text.startsWith(mark) && !text.includes('\0') && !loneSurrogate.test(text);
  return isStorable ? text : `${mark}${JSON.stringify(text)}`;
}

export function fromStorableText(stored: string): string {
  return stored.startsWith(mark) ? (JSON.parse(stored.slice(mark.length)) as string) : stored;
}
