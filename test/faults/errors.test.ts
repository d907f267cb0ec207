import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { clockErrorScenarios } from './errors/clock-errors.ts';
import { databaseErrorScenarios } from './errors/database-errors.ts';
import { closeShared, type ErrorScenario, Sandbox } from './errors/error-scenario.ts';
import { hostErrorScenarios } from './errors/host-errors.ts';
import { inspectionErrorScenarios } from './errors/inspection-errors.ts';
import { redisErrorScenarios } from './errors/redis-errors.ts';
import { sessionErrorScenarios } from './errors/session-errors.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const isRoot = process.getuid?.() === 0;

afterAll(closeShared);

const scenarios = {
  ...hostErrorScenarios,
  ...inspectionErrorScenarios,
  ...clockErrorScenarios,
  ...databaseErrorScenarios,
  ...redisErrorScenarios,
  ...sessionErrorScenarios,
};

/** Paths of the file system in a text; addresses are none. */
const pathsIn = (text: string) => text.match(/(?<![\w:/.])\/(?:[\w.-]+\/)+[\w.-]+/g) ?? [];

it('every error of docs/errors.md has a scenario', async () => {
  const page = await readFile(new URL('../../docs/errors.md', import.meta.url), 'utf8');
  const documented = [...page.matchAll(/^- `([A-Z_]+)`:/gm)].map(([, code]) => code);
  expect(new Set(Object.keys(scenarios))).toEqual(new Set(documented));
});

describe.concurrent('an error message says what is wrong, what to do, and the code:', () => {
  const all = Object.entries<ErrorScenario | readonly ErrorScenario[]>(scenarios);
  const cases = all.flatMap(([code, given]) => [given].flat().map((scenario) => ({ code, scenario })));
  for (const { code, scenario } of cases) {
    const { title, names, advises, asRoot } = scenario;
    it.runIf(isRoot || asRoot !== true)(title === undefined ? code : `${code}: ${title}`, async (context) => {
      const sandbox = await Sandbox.open((reason) => context.skip(reason));
      try {
        const seen = await scenario.run(sandbox);
        expect(seen.code, seen.text).toBe(code);
        expect(seen.text).toMatch(names);
        if (advises !== undefined) expect(seen.text).toMatch(advises);
        expect(seen.text).not.toMatch(/\n|\s+at \S+ \(|node_modules|open-sesame|\bundefined\b|\.:/);
        expect(seen.text).not.toContain(repository);
        expect(pathsIn(seen.text).filter((path) => !Sandbox.has(path))).toEqual([]);
      } finally {
        await sandbox.close();
      }
    });
  }
});
