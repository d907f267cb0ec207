import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { againstSuite } from './against/against-suite.ts';
import { beanInspectionSuite } from './bean-inspection/bean-inspection-suite.ts';
import { beanRequestsSuite, bigBeansSuite } from './bean-inspection/bean-requests-suite.ts';
import { watchSuite } from './bean-inspection/watch-suite.ts';
import { clockSuite } from './clock-suite.ts';
import { databaseForTestsSuite, databaseSuite } from './database/database-suite.ts';
import { growthSuite } from './growth-suite.ts';
import { benchmarksPage, describeMachine, suiteSection } from './report.ts';
import { runSuites } from './run-suites.ts';
import { sessionsSuite } from './sessions/sessions-suite.ts';
import { storesSuite } from './sessions/stores-suite.ts';
import { startSuite } from './start-suite.ts';
import type { Suite } from './suite.ts';

/** In the order of the page. The first one measures in this very process, which has no garbage of others then. */
const suites: readonly Suite[] = [
  beanInspectionSuite,
  bigBeansSuite,
  beanRequestsSuite,
  watchSuite,
  clockSuite,
  startSuite,
  sessionsSuite,
  storesSuite,
  growthSuite,
  databaseSuite,
  databaseForTestsSuite,
];

const page = new URL('../results.md', import.meta.url);
const usage = `npm run bench -- [options]
  --only <pattern>  only suites whose names match; suite/case also selects among their cases
  --quick           shorter samples and fewer rounds: to try something out, not to quote
  --minutes <n>     how long it may take: 4.5 by default; undecided rows use what the others leave
  --against <path>  only compares this checkout with the one at the path, which is built too
  --help            prints this text
Without --only, --quick and --against, it writes bench/results.md. The exit code is 1 when a suite fails or a row is short.`;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '4.5' },
    against: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) console.log(usage);
else process.exitCode = await bench();

async function bench(): Promise<number> {
  const minutes = Number(options.minutes);
  if (!(minutes > 0)) throw new Error('--minutes takes a number of minutes above 0.');
  const [suitePattern = '', casePattern = ''] = options.only.split('/').map((pattern) => new RegExp(pattern, 'i'));
  const chosen = options.against === undefined ? suites : [againstSuite(resolve(options.against))];
  const wanted = chosen.filter(({ name }) => name.match(suitePattern));
  if (wanted.length === 0) {
    const names = chosen.map(({ name }) => name).join(', ');
    console.error(`No suite matches ${JSON.stringify(options.only)}. The suites are ${names}.`);
    return 1;
  }
  const machine = describeMachine();
  const folder = mkdtempSync(join(tmpdir(), 'jig-bench-'));
  const stops: (() => unknown)[] = [];
  const end = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      console.error(`\n${signal}: no page was written.`);
      void Promise.allSettled(stops.map((stop) => stop())).then(() => {
        end();
        process.exit(1);
      });
    });
  }
  const results = await runSuites(
    wanted,
    { quick: options.quick, folder, onClose: (stop) => void stops.push(stop) },
    {
      deadline: performance.now() + minutes * 60_000,
      isWanted: (name) => name.match(casePattern) !== null,
      // Only on a terminal, where the next line replaces this one.
      onProgress: (text) => process.stderr.isTTY && process.stderr.write(`\r\u001b[K${text} …`),
      onResult: (result) => console.log(`\n${suiteSection(result)}`),
    },
  );
  end();
  if (options.only === '' && !options.quick && options.against === undefined)
    writeFileSync(page, benchmarksPage(machine, results));
  const problems = results.flatMap(({ name, rows, problem }) => [
    ...(problem === undefined ? [] : [`${name} failed: ${problem}`]),
    ...rows.filter(({ judgement }) => judgement.verdict === 'short').map((row) => `${name}/${row.name} is short`),
  ]);
  for (const problem of problems) console.error(problem);
  return problems.length === 0 ? 0 : 1;
}
