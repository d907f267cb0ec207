import { type Holding, slope } from './measurements.ts';
import type { SoakResult } from './soak.ts';

/** Caches and the heap find their size in the first part; only what follows tells of a leak. */
const warmUp = 0.4;

/** The heap takes minutes to settle: before, growth tells nothing. Ten minutes are enough; the last sample is a little earlier. */
const leastSeconds = 570;

/** What may be added after the warm-up; an hour of 200 requests per second that leak 100 bytes each adds 41 MiB. */
const mostMebibytes = 40;
const mostDescriptors = 100;

const afterWarmUp = (holdings: readonly Holding[]) => holdings.slice(Math.floor(holdings.length * warmUp));

/** How much memory grew after the warm-up, in MiB per second. */
export const growthOf = ({ holdings }: Pick<SoakResult, 'holdings'>) =>
  slope(afterWarmUp(holdings).map(({ seconds, mebibytes }) => [seconds, mebibytes] as const));

const secondsOf = ({ holdings }: Pick<SoakResult, 'holdings'>) => holdings.at(-1)?.seconds ?? 0;

/** Whether the soak took long enough to tell growth from settling. */
export const isMemoryJudged = (result: Pick<SoakResult, 'holdings'>) => secondsOf(result) >= leastSeconds;

function memoryFailures(result: Pick<SoakResult, 'holdings'>): string[] {
  const growth = growthOf(result);
  if (!isMemoryJudged(result) || growth * secondsOf(result) * (1 - warmUp) <= mostMebibytes) return [];
  return [`memory grew by ${growth.toFixed(3)} MiB per second`];
}

/** What went wrong in a soak, in sentences; none when it is passed. */
export function failuresOf(result: Pick<SoakResult, 'surprises' | 'wrongSessions' | 'holdings'>): string[] {
  const { surprises, wrongSessions, holdings } = result;
  const first = afterWarmUp(holdings)[0]?.descriptors ?? 0;
  const last = holdings.at(-1)?.descriptors ?? 0;
  return [
    ...new Set(surprises),
    ...wrongSessions.slice(0, 10),
    ...memoryFailures(result),
    ...(last > first + mostDescriptors ? [`descriptors grew from ${first} to ${last}`] : []),
  ];
}
