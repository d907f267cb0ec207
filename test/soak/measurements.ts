import { readdir, readFile } from 'node:fs/promises';

/** What a process holds, as Linux tells it. */
export interface Holding {
  /** Since the soak began. */
  readonly seconds: number;
  readonly mebibytes: number;
  readonly descriptors: number;
}

export async function holdingOf(pid: number, began: number): Promise<Holding> {
  const [status, descriptors] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8'),
    readdir(`/proc/${pid}/fd`),
  ]);
  return {
    seconds: (performance.now() - began) / 1000,
    mebibytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
    descriptors: descriptors.length,
  };
}

/** Least squares: how much a value grows per second. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const variance = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return variance === 0 ? 0 : covariance / variance;
}

/** Latencies in a histogram of fixed size, each bucket a twentieth wider than the last, so that an hour takes no memory. */
export class Latencies {
  readonly #buckets = new Map<number, number>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(milliseconds: number): void {
    const bucket = Math.ceil(Math.log(Math.max(milliseconds, 0.01)) / Math.log(1.05));
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    this.#count += 1;
  }

  percentile(percent: number): number {
    let left = (this.#count * percent) / 100;
    for (const [bucket, count] of [...this.#buckets].sort(([one], [other]) => one - other)) {
      left -= count;
      if (left <= 0) return 1.05 ** bucket;
    }
    return 0;
  }
}
