import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { beanInspectionSuite } from './bean-inspection/bean-inspection-suite.ts';
import { beanListSuite } from './bean-inspection/bean-list-suite.ts';
import { bigBeansSuite } from './bean-inspection/big-beans-suite.ts';
import { liveSuite } from './bean-inspection/live-suite.ts';
import { mountsSuite } from './bean-inspection/mounts-suite.ts';
import { peersSuite } from './bean-inspection/peers-suite.ts';
import { clockSuite } from './clock-suite.ts';
import { databaseForTestsSuite } from './database/database-for-tests-suite.ts';
import { databaseSuite } from './database/database-suite.ts';
import { beanSizeGrowthSuite, beansGrowthSuite, sessionsGrowthSuite } from './growth-suites.ts';
import { ServerUnderTest } from './http/server-under-test.ts';
import { inOwnProcess } from './own-process/in-own-process.ts';
import { profileSuite } from './profile/profile-suite.ts';
import { compareRuns, comparisonTable } from './report/compare-runs.ts';
import { terminalTable } from './report/terminal-table.ts';
import { describeMachine, writePage } from './report/write-page.ts';
import { runSuites, type SuiteResult } from './run-suites.ts';
import { scaleSuite } from './sessions/scale-suite.ts';
import { sessionsStoresSuite } from './sessions/sessions-stores-suite.ts';
import { sessionsSuite } from './sessions/sessions-suite.ts';
import { startSuite } from './start/start-suite.ts';
import type { Suite } from './suite.ts';

/** In the order of the page. */
const suites: readonly Suite[] = [
  startSuite,
  clockSuite,
  inOwnProcess(beanInspectionSuite, new URL('bean-inspection/bean-inspection-suite.ts', import.meta.url)),
  inOwnProcess(bigBeansSuite, new URL('bean-inspection/big-beans-suite.ts', import.meta.url)),
  beanListSuite,
  peersSuite,
  mountsSuite,
  liveSuite,
  sessionsSuite,
  sessionsStoresSuite,
  scaleSuite,
  databaseSuite,
  databaseForTestsSuite,
  sessionsGrowthSuite,
  beansGrowthSuite,
  beanSizeGrowthSuite,
  profileSuite,
];

const docsFolder = fileURLToPath(new URL('../../docs', import.meta.url));

const usage = `npm run bench -- [options]
  --only <pattern>  only suites whose names match; suite/case also selects among their cases
  --quick           shorter samples and fewer rounds: to try something out, not to quote
  --json            prints the results as JSON on standard output
  --minutes <n>     how long it may take: 4.5 by default; undecided rows use what the others leave
  --compare <base.json> <change.json>
                    measures nothing: compares two results of --json; exit code 1 when a case has become slower
  --page <folder>   writes the page and its charts of the measured suites to this folder
  --help            prints this text
Without --only and --quick, it writes docs/benchmarks.md and the charts in docs/benchmarks.`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '4.5' },
    compare: { type: 'boolean', default: false },
    page: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) console.log(usage);
else if (options.compare) process.exitCode = compare();
else process.exitCode = await bench();

function compare(): number {
  const [base, change] = positionals.map((file) => JSON.parse(readFileSync(file, 'utf8')).results as SuiteResult[]);
  if (base === undefined || change === undefined) throw new Error('--compare needs two files that --json has printed.');
  const rows = compareRuns(base, change);
  console.log(comparisonTable(rows));
  return rows.some(({ verdict }) => verdict === 'slower') ? 1 : 0;
}

async function bench(): Promise<number> {
  const minutes = Number(options.minutes);
  if (!(minutes > 0)) throw new Error('--minutes takes a number of minutes above 0.');
  const deadline = performance.now() + minutes * 60_000;
  const [suitePattern = '', casePattern = ''] = options.only.split('/').map((pattern) => new RegExp(pattern, 'i'));
  const wanted = suites.filter(({ name }) => name.match(suitePattern));
  if (wanted.length === 0) {
    const names = suites.map(({ name }) => name).join(', ');
    console.error(`No suite matches ${JSON.stringify(options.only)}. The suites are ${names}.`);
    return 1;
  }
  const folder = mkdtempSync(join(tmpdir(), 'jig-bench-'));
  let measuring = '';
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      console.error(`\n${signal} while measuring ${measuring}. No page was written.`);
      void ServerUnderTest.stopAll().finally(() => {
        rmSync(folder, { recursive: true, force: true });
        process.exit(1);
      });
    });
  }
  const machine = describeMachine();
  let results: SuiteResult[];
  try {
    results = await runSuites(
      wanted,
      { quick: options.quick, folder },
      {
        deadline,
        isWanted: (name) => name.match(casePattern) !== null,
        onProgress(text) {
          measuring = text;
          showProgress(text);
        },
        onResult(result) {
          if (!options.json) console.log(terminalTable(result));
        },
      },
    );
  } finally {
    await ServerUnderTest.stopAll();
    rmSync(folder, { recursive: true, force: true });
  }
  if (options.json) console.log(JSON.stringify({ machine, results }, null, 2));
  if (options.page !== undefined) writePage(resolve(options.page), machine, results);
  else if (options.only === '' && !options.quick) writePage(docsFolder, machine, results);
  const failed = results.filter(({ problem }) => problem !== undefined);
  for (const { name, problem } of failed) console.error(`The suite ${name} failed: ${problem}`);
  return failed.length === 0 ? 0 : 1;
}

/** Only on a terminal, where the next line replaces this one. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text} …`);
}
