import { maskMark } from './secret-finder.ts';

const authority = '://';
const slash = 0x2f;
const questionMark = 0x3f;
const hash = 0x23;

/** Where the authority of a URL ends (RFC 3986, section 3.2), taking white space as the end of the URL. */
function endOfAuthority(text: string, from: number): number {
  let end = from;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code <= 0x20 || code === slash || code === questionMark || code === hash) break;
  }
  return end;
}

/** The text with the user-info of every URL in it masked. Linear in the length, since the text may be hostile. */
export function maskUserInfo(text: string): string {
  let found = text.indexOf(authority);
  if (found < 0 || !text.includes('@', found)) return text;
  let masked = '';
  let written = 0;
  while (found >= 0) {
    const start = found + authority.length;
    const end = endOfAuthority(text, start);
    const at = text.slice(start, end).lastIndexOf('@');
    if (at > 0) {
      masked += text.slice(written, start) + maskMark;
      written = start + at;
    }
    found = text.indexOf(authority, end);
  }
  return masked + text.slice(written);
}

/** Whether a text that was cut here may have lost the `@` that would have told user-info from a host. */
export function endsInsideAuthority(text: string): boolean {
  const last = text.lastIndexOf(authority);
  return last >= 0 && endOfAuthority(text, last + authority.length) === text.length;
}
