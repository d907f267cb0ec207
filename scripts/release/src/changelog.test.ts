import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changelogProblems, releaseNotes } from './changelog.ts';
import { root } from './released-packages.ts';

const changelog = `# Changelog

## 1.2.0

### Host

- Starts in less time.
- Stops too.

## 1.1.0

## 1.0.0

- The first release.
`;

describe('changelogProblems', () => {
  it('finds none for a version with entries', () => expect(changelogProblems('1.2.0', changelog)).toEqual([]));

  it('finds a version without entries, and does not count those of the next', () => {
    expect(changelogProblems('1.1.0', changelog)).toEqual([
      'CHANGELOG.md has no entries for 1.1.0; each change that a user notices is one.',
    ]);
  });

  it('finds a version without a heading, of which another is a beginning', () => {
    expect(changelogProblems('1.2', changelog)).toEqual(['CHANGELOG.md has no heading "## 1.2".']);
  });

  it('finds entries that wait for a version', () => {
    const waiting = changelog.replace('## 1.2.0', '## Unreleased\n\n- Sings.\n\n## 1.2.0');
    expect(changelogProblems('1.2.0', waiting)).toEqual([
      'CHANGELOG.md has 1 entries under "Unreleased"; move them below "## 1.2.0".',
    ]);
  });

  it('reads the changelog of this repository', () => {
    const text = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
    expect(changelogProblems('0.1.0', text).filter((problem) => !problem.includes('Unreleased'))).toEqual([]);
    expect(changelogProblems('9.9.9', text)).toContain('CHANGELOG.md has no heading "## 9.9.9".');
  });
});

describe('releaseNotes', () => {
  it('are what stands below the heading of the version', () => {
    expect(releaseNotes('1.2.0', changelog)).toBe('### Host\n\n- Starts in less time.\n- Stops too.');
  });
});
