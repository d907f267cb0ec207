import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Tables } from '../src/tables/tables.ts';
import { type ShownTexts, shownChanges, shownTexts } from './shown-texts.ts';

// npm run clock:data: fetches the newest data packages, generates the tables again, and prints what changes for users.
/** npm's own flag: `npm run clock:data --offline` takes the packages that are installed. */
const isOffline = process.env.npm_config_offline === 'true';
const folder = fileURLToPath(new URL('../', import.meta.url));
/** Has the packages that the tables are generated from. */
const tables = fileURLToPath(new URL('tables/', import.meta.url));
const run = (cwd: string, program: string, ...args: string[]) => execFileSync(program, args, { cwd, stdio: 'inherit' });

/** Each in a process of its own, because a process reads the tables and the packages once. */
function readShown(): ShownTexts {
  const script = fileURLToPath(new URL('shown-texts.ts', import.meta.url));
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
  return JSON.parse(execFileSync(process.execPath, ['--import', 'tsx', script], options)) as ShownTexts;
}

const { devDependencies } = JSON.parse(readFileSync(`${tables}package.json`, 'utf8')) as {
  devDependencies: Record<string, string>;
};
const cldr = Object.keys(devDependencies).map((name) => `${name}@latest`);

const before = await shownTexts();
if (!isOffline) {
  run(tables, 'npm', 'install', '--save-exact', '--save-dev', ...cldr);
  run(folder, 'npm', 'update', 'moment-timezone');
}
run(folder, process.execPath, '--import', 'tsx', fileURLToPath(new URL('generate-tables.ts', import.meta.url)));
console.log(shownChanges(before, readShown()).join('\n'));
const { calendars } = Tables.read().madeFrom;
if (Number(process.versions.icu) < Number(calendars)) {
  console.log(
    `The texts of other calendars than the Gregorian one are still those of ICU ${calendars}, because this Node has ${process.versions.icu}; to renew them, run it with the newest Node as well.`,
  );
}
