import type { CaseResult } from '../run-case.ts';
import type { Grid } from './grid.ts';
import { marks, number, ratio, withSpread } from './numbers.ts';

/** A line for each case, and below it one for each peer. */
export function caseGrid(cases: readonly CaseResult[]): Grid {
  return { columns: ['case', 'ours', 'reference', 'ratio', 'asked', 'aim', ''], rows: cases.flatMap(rowsOf) };
}

function rowsOf({ name, unit, contenders, judgement }: CaseResult): string[][] {
  const [ours, ...others] = contenders;
  const reference = others.find((contender) => contender.name === 'reference');
  const peers = others.filter((contender) => contender !== reference);
  if (ours === undefined) return [];
  return [
    [
      name,
      `${withSpread(ours)} ${unit}`,
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
