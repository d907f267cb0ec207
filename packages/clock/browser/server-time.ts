/** The server's clock minus the browser's, if the server read its clock half-way between request and response. */
export const differenceOfAnswer = (server: number, sent: number, received: number): number =>
  server - (sent + received) / 2;

/** The same for the page itself; undefined if its age is unknown. */
export function differenceOfPage(written: number): number | undefined {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  // The page may be from a cache.
  if (!navigation || (navigation.transferSize ?? (navigation.type === 'back_forward' ? 0 : 1)) === 0) return undefined;
  const start = Date.now() - performance.now();
  const received = start + navigation.responseStart;
  // What exceeds 200 ms was rendering; the server reads its clock after that.
  const sent = Math.max(start + navigation.requestStart, received - 200);
  const exact = Number(navigation.serverTiming?.find(({ name }) => name === 'now')?.description);
  if (exact) return differenceOfAnswer(exact, sent, received);
  const rough = differenceOfAnswer(written + 500, sent, received);
  return Math.abs(rough) < 1000 ? 0 : rough;
}
