import budgets from '../size-budgets.json' with { type: 'json' };

/** What `npm pack --json` says of a tarball. */
export interface Packed {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  /** Of the tarball, in bytes. */
  readonly size: number;
  /** Of the files in it, in bytes. */
  readonly unpackedSize: number;
  readonly entryCount: number;
}

export interface SizeBudget {
  /** In kilobytes of 1,000 bytes, as the registry shows them. */
  readonly packed: number;
  readonly unpacked: number;
}

export type SizeBudgets = Readonly<Record<string, SizeBudget>>;

const inKilobytes = (bytes: number) => Math.ceil(bytes / 1000);

/** One sentence for each package that is larger than its budget, or has none. */
export function sizeProblems(packages: readonly Packed[], table: SizeBudgets = budgets): readonly string[] {
  return packages.flatMap(({ name, size, unpackedSize }) => {
    const budget = table[name];
    if (budget === undefined) return [`${name} has no budget in scripts/release/size-budgets.json.`];
    const sizes = [
      ['packed', inKilobytes(size), budget.packed],
      ['unpacked', inKilobytes(unpackedSize), budget.unpacked],
    ] as const;
    return sizes
      .filter(([, kilobytes, allowed]) => kilobytes > allowed)
      .map(
        ([what, kilobytes, allowed]) =>
          `${name} is ${kilobytes} kB ${what}, and may be ${allowed} kB. Find out what made it grow; if it is worth it, change scripts/release/size-budgets.json.`,
      );
  });
}
