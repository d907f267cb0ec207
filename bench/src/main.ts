import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ServerUnderTest } from './http/server-under-test.ts';
import { describeMachine } from './report/machine.ts';
import { table } from './report/table.ts';
import { writePage } from './report/write-page.ts';
import { runSuite, type SuiteResult } from './run-suite.ts';
import { suites } from './suites.ts';

const documents = fileURLToPath(new URL('../../docs', import.meta.url));

const usage = `npm run bench -- [options]
  --only <pattern>  only the suites whose name matches; suite/case picks among its cases too
  --quick           shorter samples and fewer rounds: for trying out, not for quoting
  --json            results as JSON on standard output
  --page <folder>   writes the page and its plots there, whatever was measured
  --help            this
A whole run that is not quick writes docs/benchmarks.md and the plots beside it.`;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    page: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) console.log(usage);
else process.exitCode = await bench();

async function bench(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'jig-bench-'));
  const [suitePattern = '', casePattern = ''] = options.only.split('/').map((pattern) => new RegExp(pattern, 'i'));
  const machine = describeMachine();
  const results: SuiteResult[] = [];
  try {
    for (const suite of suites.filter(({ name }) => name.match(suitePattern))) {
      const isWanted = (name: string) => name.match(casePattern) !== null;
      const result = await runSuite(suite, { quick: options.quick, folder }, isWanted, showProgress);
      results.push(result);
      if (!options.json) console.log(table(result));
    }
  } finally {
    await ServerUnderTest.stopAll();
    rmSync(folder, { recursive: true, force: true });
  }
  if (results.length === 0) {
    const names = suites.map(({ name }) => name).join(', ');
    console.error(`No suite matches ${JSON.stringify(options.only)}. There are ${names}.`);
    return 1;
  }
  if (options.json) console.log(JSON.stringify({ machine, results }, null, 2));
  if (options.page !== undefined) writePage(resolve(options.page), machine, results);
  else if (options.only === '' && !options.quick) writePage(documents, machine, results);
  return results.some(({ problem }) => problem !== undefined) ? 1 : 0;
}

/** On a terminal the line is overwritten by what comes next. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text} …`);
}
