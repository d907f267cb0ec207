/** An address without its query. */
export function pathOf(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  return path;
}
