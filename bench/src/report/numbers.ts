import type { Judgement, Verdict } from '../judge.ts';
import type { Summary } from '../statistics.ts';

/** Three digits that count: 0.812, 14.3, 1,204. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function withSpread({ median, spread }: Summary): string {
  return `${number(median)} ±${(spread * 100).toFixed(0)}%`;
}

export function ratio({ isRatio, judged }: Judgement): string {
  return isRatio ? `${judged.median.toFixed(2)} ±${(judged.spread * judged.median).toFixed(2)}` : '';
}

export const marks: Readonly<Record<Verdict, string>> = { aim: '★ aim', met: '✓ met', short: '✗ short', shown: '' };
