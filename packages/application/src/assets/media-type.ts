const mediaTypes: ReadonlyMap<string, string> = new Map([
  ['css', 'text/css; charset=utf-8'],
  ['gif', 'image/gif'],
  ['html', 'text/html; charset=utf-8'],
  ['ico', 'image/x-icon'],
  ['jpg', 'image/jpeg'],
  ['js', 'text/javascript; charset=utf-8'],
  ['json', 'application/json'],
  ['map', 'application/json'],
  ['mjs', 'text/javascript; charset=utf-8'],
  ['png', 'image/png'],
  ['svg', 'image/svg+xml'],
  ['txt', 'text/plain; charset=utf-8'],
  ['webp', 'image/webp'],
  ['woff2', 'font/woff2'],
  ['xml', 'application/xml'],
]);

/** The type of a file by the end of its name; bytes where the end is unknown, so that no browser guesses. */
export function mediaType(file: string): string {
  return mediaTypes.get(file.slice(file.lastIndexOf('.') + 1).toLowerCase()) ?? 'application/octet-stream';
}

/** Whether compressing the type saves anything: pictures and fonts are compressed already. */
export function isCompressible(type: string): boolean {
  return /^text\/|json$|xml$/.test(type);
}
