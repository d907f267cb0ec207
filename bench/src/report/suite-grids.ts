import { type Judgement, type Summary, summarize, type Verdict } from '../judge.ts';
import type { CaseResult, ContenderResult, CurveResult } from '../rows.ts';
import type { GrowthResult, ProfileResult, SuiteResult } from '../run-suites.ts';
import type { Axis } from '../suite.ts';

/** The content of a table, on a terminal or on the page. A row whose first cell begins with two spaces belongs to the row above it. */
export interface Grid {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The tables of a suite. */
export function suiteGrids({ cases, layout, growth, profiles }: SuiteResult): Grid[] {
  const caseGrids = layout === 'matrix' ? matrixGrids(cases) : [caseGrid(cases)];
  const growthGrids = growth === undefined ? [] : [growthGrid(growth)];
  return [...caseGrids, ...growthGrids, ...profileGrids(profiles)].filter(({ rows }) => rows.length > 0);
}

/** A row for each case, and below it one for each peer. */
function caseGrid(cases: readonly CaseResult[]): Grid {
  return { columns: ['case', 'ours', 'reference', 'ratio', 'asked', 'aim', ''], rows: cases.flatMap(caseRows) };
}

function caseRows({ name, unit, contenders, judgement }: CaseResult): string[][] {
  const [ours, ...others] = contenders;
  const reference = others.find((contender) => contender.name === 'reference');
  const peers = others.filter((contender) => contender !== reference);
  if (ours === undefined) return [];
  return [
    [
      name,
      `${judgement.isRatio ? withSpread(ours) : withInterval(judgement)} ${unit}`,
      reference === undefined ? '' : withSpread(reference),
      ratio(judgement),
      judgement.floor,
      judgement.aim,
      marks[judgement.verdict],
    ],
    ...peers.map((peer) => [
      `  ${peer.name}`,
      `${withSpread(peer)} ${unit}`,
      '',
      reference === undefined ? '' : number(reference.median / peer.median),
      '',
      '',
      '',
    ]),
  ];
}

/** A row for each case and a column for each contender, with its speed against the reference; one grid for each set of contenders. */
function matrixGrids(cases: readonly CaseResult[]): Grid[] {
  const bySet = new Map<string, CaseResult[]>();
  for (const each of cases) {
    const set = each.contenders.map(({ name }) => name).join();
    bySet.set(set, [...(bySet.get(set) ?? []), each]);
  }
  return [...bySet.values()].map(matrixGrid);
}

function matrixGrid(cases: readonly CaseResult[]): Grid {
  const names = (cases[0]?.contenders ?? []).map(({ name }) => name).filter((name) => name !== 'reference');
  return {
    columns: ['case', 'reference', ...names],
    rows: cases.map(({ name, unit, contenders }) => {
      const reference = contenders.find((contender) => contender.name === 'reference');
      const others = contenders.filter((contender) => contender !== reference);
      if (reference === undefined) throw new Error(`${name} has no reference, which a matrix needs.`);
      return [name, `${withSpread(reference)} ${unit}`, ...others.map((other) => speed(reference, other))];
    }),
  };
}

/** The median of the ratios of each round, as in judged cases. */
function speed(reference: ContenderResult, other: ContenderResult): string {
  const ratios = other.samples.map((sample, round) => (reference.samples[round] ?? Number.NaN) / sample);
  const { median, spread } = summarize(ratios);
  return `${median.toFixed(2)} ±${(spread * median).toFixed(2)}`;
}

/** A row for each curve and a column for each size; below a curve that may be linear, the cost per unit. */
function growthGrid({ axis, curves }: GrowthResult): Grid {
  const sizes = (curves[0]?.points ?? []).map(({ size }) => sizeLabel(size, axis));
  return {
    columns: [`${curves[0]?.unit ?? ''}, by ${axis.name}`, ...sizes, 'growth', 'asked', ''],
    rows: curves.flatMap((curve) => curveRows(curve, axis.unit)),
  };
}

function curveRows({ name, target, points, judgement }: CurveResult, unit: string): string[][] {
  const verdict = [ratio(judgement), judgement.floor, marks[judgement.verdict]];
  const costs = points.map(withSpread);
  if ('flat' in target) return [[name, ...costs, ...verdict]];
  const costsPerUnit = points.map(({ median, size }) => number(median / size));
  return [
    [name, ...costs, '', '', ''],
    [`  per ${unit}`, ...costsPerUnit, ...verdict],
  ];
}

/** A size as people write it: 10,000 sessions are `10,000`, 0.01 MB are `10 KB`. */
export function sizeLabel(size: number, { unit }: Axis): string {
  if (unit !== 'MB') return size.toLocaleString('en-US');
  return size < 1 ? `${Math.round(size * 1000)} KB` : `${size} MB`;
}

/** One grid with the shares of the layers, one with the functions that take most. */
function profileGrids(profiles: readonly ProfileResult[]): Grid[] {
  return profiles.length === 0 ? [] : [layerGrid(profiles), functionGrid(profiles)];
}

function layerGrid(profiles: readonly ProfileResult[]): Grid {
  const shares = (profiles[0]?.layers ?? []).map(({ layer }, index) => [
    layer,
    ...profiles.map(({ layers }) => percent(layers[index]?.share ?? 0)),
  ]);
  const costs = profiles.map(({ cost }) => number(cost));
  return {
    columns: ['layer', ...profiles.map(({ name }) => name)],
    rows: [...shares, ['all, µs CPU per request while the profiler runs', ...costs]],
  };
}

function functionGrid(profiles: readonly ProfileResult[]): Grid {
  return {
    columns: ['the heaviest functions', 'of', 'share'],
    rows: profiles.flatMap(({ name: profile, functions }) => [
      [profile, '', ''],
      ...functions.map(({ name, source, share }) => [
        `  ${name || 'a function without a name'}`,
        source,
        percent(share),
      ]),
    ]),
  };
}

const marks: Readonly<Record<Verdict, string>> = {
  aim: '★ aim',
  met: '✓ met',
  undecided: '≈ undecided',
  short: '✗ short',
  shown: '',
};

/** Three significant digits: 0.812, 14.3, 1,204. */
function number(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function withSpread({ median, spread }: Summary): string {
  return `${number(median)} ±${(spread * 100).toFixed(0)}%`;
}

function withInterval({ judged, interval }: Judgement): string {
  return `${number(judged.median)} (${number(interval.low)}–${number(interval.high)})`;
}

/** With the interval in which it lies with a confidence of 95%. */
function ratio({ isRatio, judged, interval }: Judgement): string {
  return isRatio ? `${judged.median.toFixed(2)} (${interval.low.toFixed(2)}–${interval.high.toFixed(2)})` : '';
}

const percent = (share: number) => `${(share * 100).toFixed(1)}%`;
