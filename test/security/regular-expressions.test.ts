import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
// recheck finds more, but takes minutes for our sources; redos-detector fails on named groups.
import { analyse } from 'scslre';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { root, sourceFiles } from '../architecture/imports.ts';

interface FoundPattern {
  readonly path: string;
  readonly source: string;
  readonly flags: string;
}

/** Patterns that take more than linear time on the wrong input, and why no client can send that input. */
const harmless: Readonly<Record<string, string>> = {
  '/\\B(?=(\\d{3})+$)/g': 'meets only the digits of a count, sixteen at most',
};

/** Sources whose patterns no client reaches. */
const apart: Readonly<Record<string, string>> = {
  'packages/console/src/discovery/': 'reads the names and the files of an application, for its own developer',
  'packages/console/src/processes/': 'reads command lines of the user, for the user',
  'packages/embedded-database/src/server/startup-errors.ts':
    'reads the log of a server that we start ourselves, a bounded end of it',
  'packages/embedded-database/src/migrations/sql-file.ts': 'reads SQL files of the developer, for the developer',
};

/** Where a pattern is put together while running, and of what. */
const putTogether: Readonly<Record<string, string>> = {
  'packages/clock/src/selection.ts': 'a constant name before a bounded class: linear',
  'packages/console/src/processes/linux-processes.ts': 'a constant name at the start of a line of Linux: linear',
  'packages/inspect/src/document/xml-text.ts': 'two classes of constant characters: linear',
  'packages/inspect/src/masking/name-rules.ts': 'a copy of a pattern that the application gives for its own beans',
  'packages/inspect/src/masking/text-rules.ts': 'constant signs, each of bounded length: linear',
  'packages/inspect/src/masking/tokens.ts': 'constant beginnings, each before a literal that is tested here',
};

const found: FoundPattern[] = [];
const dynamic = new Set<string>();

function visit(node: unknown, path: string): void {
  if (typeof node !== 'object' || node === null) return;
  const { type, regex, callee } = node as {
    type?: string;
    regex?: { pattern: string; flags: string };
    callee?: { name?: string };
  };
  if (type === 'Literal' && regex) found.push({ path, source: regex.pattern, flags: regex.flags });
  if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') dynamic.add(path);
  for (const child of Object.values(node)) visit(child, path);
}

for (const { path } of sourceFiles(['packages'])) {
  const { code } = transformSync(readFileSync(join(root, path), 'utf8'), { loader: 'ts' });
  visit(parseAst(code), path);
}

const isApart = (path: string) => Object.keys(apart).some((folder) => path.startsWith(folder));
const spell = ({ source, flags }: FoundPattern) => `/${source}/${flags}`;
const met = found.filter(({ path }) => !isApart(path));

/** What makes a pattern slow, in the analyser's words. */
const problemsOf = ({ source, flags }: FoundPattern) => analyse({ source, flags }).reports.map(({ type }) => type);

describe('every regular expression that meets outside input', () => {
  it('exists in the sources', () => {
    expect(met.length).toBeGreaterThan(40);
  });

  it.each([...new Map(met.map((pattern) => [spell(pattern), pattern])).values()])(
    'takes time in proportion to its input: /$source/$flags of $path',
    (pattern) => {
      if (Object.hasOwn(harmless, spell(pattern))) return;
      expect(problemsOf(pattern)).toEqual([]);
    },
  );

  it('is a literal or a listed exemption', () => {
    expect([...dynamic].sort()).toEqual(Object.keys(putTogether).sort());
  });

  it('has an exemption only if it needs one', () => {
    const slow = found.filter((pattern) => problemsOf(pattern).length > 0);
    for (const spelling of Object.keys(harmless)) expect(slow.map(spell)).toContain(spelling);
    for (const folder of Object.keys(apart)) expect(found.some(({ path }) => path.startsWith(folder))).toBe(true);
  });

  it('is reported when it is slow', () => {
    for (const source of ['^(a+)+$', '\\s+$', '^\\s*(.*?)\\s*$', '(a|a)*b']) {
      expect([source, problemsOf({ path: '', source, flags: '' }).length > 0]).toEqual([source, true]);
    }
  });
});
