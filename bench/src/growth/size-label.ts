import type { Axis } from './curve.ts';

/** A size as people write it: 10,000 sessions are `10,000`, 0.01 MB are `10 KB`. */
export function sizeLabel(size: number, { unit }: Axis): string {
  if (unit !== 'MB') return size.toLocaleString('en-US');
  return size < 1 ? `${Math.round(size * 1000)} KB` : `${size} MB`;
}
