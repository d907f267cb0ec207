export interface Summary {
  readonly median: number;
  /** Half the distance between the quartiles, as a part of the median. */
  readonly spread: number;
}

export function summarize(samples: readonly number[]): Summary {
  const median = quantile(samples, 0.5);
  const halfDistance = (quantile(samples, 0.75) - quantile(samples, 0.25)) / 2;
  return { median, spread: median === 0 ? 0 : halfDistance / Math.abs(median) };
}

/** Between two samples, in proportion. */
export function quantile(samples: readonly number[], part: number): number {
  if (samples.length === 0) throw new Error('There are no samples to summarize.');
  const sorted = [...samples].sort((one, other) => one - other);
  const position = (sorted.length - 1) * part;
  const below = sorted[Math.floor(position)] ?? 0;
  const above = sorted[Math.ceil(position)] ?? below;
  return below + (above - below) * (position - Math.floor(position));
}
