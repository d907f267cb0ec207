import { describe, expect, it } from 'vitest';
import budgets from '../size-budgets.json' with { type: 'json' };
import { releasedPackages } from './released-packages.ts';
import { sizeProblems } from './size-budget.ts';

const packed = { name: 'a', version: '1.0.0', filename: 'a.tgz', size: 10_000, unpackedSize: 40_000, entryCount: 3 };

describe('sizeProblems', () => {
  it('finds none for a package that is exactly as large as its budget', () => {
    expect(sizeProblems([packed], { a: { packed: 10, unpacked: 40 } })).toEqual([]);
  });

  it('names what is a byte too large, packed or unpacked', () => {
    const larger = { ...packed, size: 10_001, unpackedSize: 40_001 };
    const problems = sizeProblems([larger], { a: { packed: 10, unpacked: 40 } });
    expect(problems.map((problem) => problem.split('.')[0])).toEqual([
      'a is 11 kB packed, and may be 10 kB',
      'a is 41 kB unpacked, and may be 40 kB',
    ]);
  });

  it('names a package without a budget', () => {
    expect(sizeProblems([packed], {})).toEqual(['a has no budget in scripts/release/size-budgets.json.']);
  });
});

it('scripts/release/size-budgets.json has each released package, and no other', () => {
  expect(Object.keys(budgets).sort()).toEqual(
    releasedPackages()
      .map(({ name }) => name)
      .sort(),
  );
});
