const shortText = 64;
const lastOfAscii = 0x7f;

/** How many bytes a text has in UTF-8. Most that we keep are short and ASCII: looking at them costs less than calling Node for it. */
export function utf8Length(text: string): number {
  if (text.length > shortText) return Buffer.byteLength(text);
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > lastOfAscii) return Buffer.byteLength(text);
  }
  return text.length;
}
