import type { Contender } from './suite.ts';

/**
 * Takes the contenders' samples in turns, each round beginning with another, so that a slow moment of the machine hits them all.
 * Gives the samples of each. The first ones of each are thrown away, to warm up.
 */
export async function takeTurns(
  contenders: readonly Contender[],
  { rounds, warmUps }: { readonly rounds: number; readonly warmUps: number },
): Promise<number[][]> {
  const samples = contenders.map((): number[] => []);
  for (const contender of contenders) for (let turn = 0; turn < warmUps; turn += 1) await contender.sample();
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const next = (round + turn) % contenders.length;
      const sample = await contenders[next]?.sample();
      if (sample !== undefined) samples[next]?.push(sample);
    }
  }
  return samples;
}
