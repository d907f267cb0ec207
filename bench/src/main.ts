import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from './report/machine.ts';
import { markdown } from './report/markdown.ts';
import { table } from './report/table.ts';
import { runSuite, type SuiteResult } from './run-suite.ts';
import { suites } from './suites.ts';

const page = new URL('../../docs/benchmarks.md', import.meta.url);

const usage = `npm run bench -- [options]
  --only <pattern>  only the suites whose name matches; suite/case picks among its cases too
  --quick           shorter samples and fewer rounds: for trying out, not for quoting
  --json            results as JSON on standard output
  --help            this
A whole run that is not quick writes docs/benchmarks.md.`;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) console.log(usage);
else process.exitCode = await bench();

async function bench(): Promise<number> {
  if (!import.meta.resolve('@jig/application').includes('/dist/')) {
    throw new Error('The sources would be measured, not what is built: run it without `-C source`.');
  }
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
    rmSync(folder, { recursive: true, force: true });
  }
  if (options.json) console.log(JSON.stringify({ machine, results }, null, 2));
  if (options.only === '' && !options.quick) writeFileSync(page, markdown(machine, results));
  return results.some(({ problem }) => problem !== undefined) ? 1 : 0;
}

/** On a terminal the line is overwritten by what comes next. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text} …`);
}
