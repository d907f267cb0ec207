import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { XMLValidator } from 'fast-xml-parser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SuiteResult } from '../run-suites.ts';
import { describeMachine, writePage } from './write-page.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jig-bench-page-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const points = [10, 100].map((size) => ({ size, samples: [size * 7], median: size * 7, spread: 0.1 }));
const result: SuiteResult = {
  name: 'growth-beans',
  about: 'About beans.',
  layout: 'lines',
  cases: [],
  profiles: [],
  seconds: 1,
  growth: {
    axis: { name: 'beans defined', unit: 'bean' },
    curves: [
      {
        name: 'list of all',
        unit: 'µs CPU',
        target: { linear: 1.5 },
        points,
        judgement: {
          verdict: 'met',
          judged: { median: 1, spread: 0 },
          interval: { low: 1, high: 1 },
          isCertain: true,
          isRatio: true,
          floor: '≤ 1.5',
          aim: '',
        },
      },
    ],
  },
};

describe('writePage', () => {
  it('writes the table of a growth, and the charts in it as SVG for light and dark pages', () => {
    writePage(folder, describeMachine(), [result]);
    const page = readFileSync(join(folder, 'benchmarks.md'), 'utf8');
    expect(page).toContain('| µs CPU, by beans defined | 10 | 100 | growth | asked |  |');
    expect(page).toContain('| list of all | 70.0 ±10% | 700 ±10% |  |  |  |');
    expect(page).toContain('| *per bean* | 7.00 | 7.00 | 1.00 (1.00–1.00) | ≤ 1.5 | ✓ met |');
    const shown = [...page.matchAll(/!\[[^\]]+\]\(benchmarks\/([^)]+)\)/g)].map(([, file]) => file);
    expect(shown).toEqual(['growth-beans.svg', 'growth-beans-per-bean.svg']);
    expect(new Set(readdirSync(join(folder, 'benchmarks')))).toEqual(new Set(shown));
    const chart = readFileSync(join(folder, 'benchmarks', 'growth-beans.svg'), 'utf8');
    expect(XMLValidator.validate(chart)).toBe(true);
    expect(chart).toContain('<title>Cost of a request by beans defined</title>');
    expect(chart).toContain('prefers-color-scheme:dark');
    expect(chart).not.toMatch(/:hover|pointer/);
    for (const text of ['beans defined', 'list of all', 'linear', '1,000']) expect(chart).toContain(`>${text}</text>`);
  });
});
