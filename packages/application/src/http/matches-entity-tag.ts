/** Whether an `If-None-Match` header names the tag, by the weak comparison that RFC 9110, section 13.1.2 asks for. */
export function matchesEntityTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
