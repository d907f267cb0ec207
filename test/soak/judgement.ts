import { type Holding, slope } from './measurements.ts';
import type { SoakResult } from './soak.ts';

/** Caches and the heap find their size in the first part; only what follows tells of a leak. */
const warmUp = 0.4;

/** A leak shows as growth without end; the heap itself takes its time to settle, more than a short soak has. */
const mostMebibytes = (seconds: number) => (seconds < 600 ? 150 : 40);
const mostDescriptors = 100;

const afterWarmUp = (holdings: readonly Holding[]) => holdings.slice(Math.floor(holdings.length * warmUp));

/** How much memory grew after the warm-up, in MiB per second. */
export const growthOf = ({ holdings }: SoakResult) =>
  slope(afterWarmUp(holdings).map(({ seconds, mebibytes }) => [seconds, mebibytes] as const));

/** What went wrong in a soak, in sentences; none when it is passed. */
export function failuresOf(result: SoakResult): string[] {
  const { surprises, wrongSessions, holdings } = result;
  const seconds = holdings.at(-1)?.seconds ?? 0;
  const growth = growthOf(result);
  const first = holdings[Math.floor(holdings.length * warmUp)]?.descriptors ?? 0;
  const last = holdings.at(-1)?.descriptors ?? 0;
  const failures = [
    ...new Set(surprises),
    ...wrongSessions.slice(0, 10),
    ...(growth * seconds * (1 - warmUp) > mostMebibytes(seconds)
      ? [`memory grew by ${growth.toFixed(3)} MiB per second`]
      : []),
    ...(last > first + mostDescriptors ? [`descriptors grew from ${first} to ${last}`] : []),
  ];
  return failures;
}
