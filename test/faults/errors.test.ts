import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { clockProvocations } from './errors/clock-errors.ts';
import { databaseProvocations } from './errors/database-errors.ts';
import { hostProvocations } from './errors/host-errors.ts';
import { inspectionProvocations } from './errors/inspection-errors.ts';
import { redisProvocations } from './errors/redis-errors.ts';
import { sessionProvocations } from './errors/session-errors.ts';
import { type Provocation, Stage } from './errors/stage.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const isRoot = process.getuid?.() === 0;

const provocations = {
  ...hostProvocations,
  ...inspectionProvocations,
  ...clockProvocations,
  ...databaseProvocations,
  ...redisProvocations,
  ...sessionProvocations,
};

/** Paths of the file system in a text; addresses are none. */
const pathsIn = (text: string) => text.match(/(?<![\w:/.])\/(?:[\w.-]+\/)+[\w.-]+/g) ?? [];

it('every error of docs/errors.md is provoked', async () => {
  const page = await readFile(new URL('../../docs/errors.md', import.meta.url), 'utf8');
  const documented = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
  expect(new Set(Object.keys(provocations))).toEqual(new Set(documented));
});

describe.concurrent('an error says what is wrong and what to do, and shows its code:', () => {
  const all = Object.entries<Provocation | readonly Provocation[]>(provocations);
  const cases = all.flatMap(([code, given]) => [given].flat().map((provocation) => ({ code, provocation })));
  for (const { code, provocation } of cases) {
    const { title, names, advises, asRoot } = provocation;
    it.runIf(isRoot || asRoot !== true)(title === undefined ? code : `${code}: ${title}`, async (context) => {
      const stage = await Stage.open((reason) => context.skip(reason));
      try {
        const seen = await provocation.provoke(stage);
        expect(seen.code, seen.text).toBe(code);
        expect(seen.text).toMatch(names);
        if (advises !== undefined) expect(seen.text).toMatch(advises);
        expect(seen.text).not.toMatch(/\n|\s+at \S+ \(|node_modules|open-sesame|\bundefined\b|\.:/);
        expect(seen.text).not.toContain(repository);
        for (const path of pathsIn(seen.text)) expect(path).toMatch(new RegExp(`^${stage.folder}/`));
      } finally {
        await stage.close();
      }
    });
  }
});
