/** By how much the clocks of server and browser differ, by an answer made half-way between asking and hearing. */
export const differenceOfAnswer = (server: number, asked: number, heard: number): number =>
  server - (asked + heard) / 2;

/** The same for the page itself; undefined when nobody knows how old it is. */
export function differenceOfPage(written: number): number | undefined {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  // Going back in the history may show what was kept.
  if (!visit || (visit.transferSize ?? (visit.type === 'back_forward' ? 0 : 1)) === 0) return undefined;
  const start = Date.now() - performance.now();
  const heard = start + visit.responseStart;
  // What took longer was making the page: the server tells the time when that is done.
  const asked = Math.max(start + visit.requestStart, heard - 200);
  const exact = Number(visit.serverTiming?.find(({ name }) => name === 'now')?.description);
  if (exact) return differenceOfAnswer(exact, asked, heard);
  const rough = differenceOfAnswer(written + 500, asked, heard);
  return Math.abs(rough) < 1000 ? 0 : rough;
}
