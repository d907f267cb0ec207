import type { Contender } from './suite.ts';

/** Several rows from the same samples: the row that is first in a round measures, the others take what it has found. */
export function shareRounds<Measured>(
  measure: () => Promise<Measured>,
): (pick: (measured: Measured) => number) => Contender {
  const rounds: Promise<Measured>[] = [];
  return (pick) => {
    let round = 0;
    return {
      async sample() {
        const measured = rounds[round] ?? measure();
        rounds[round] = measured;
        round += 1;
        return pick(await measured);
      },
    };
  };
}
