import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ShownTexts, shownChanges, shownTexts } from './shown-texts.ts';

// npm run clock:data: fetches the newest data packages, generates the tables again, and prints what changes for users.
const folder = fileURLToPath(new URL('../', import.meta.url));
const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: folder, stdio: 'inherit' });

/** Each in a process of its own, because a process reads the tables and the packages once. */
function readShown(): ShownTexts {
  const script = fileURLToPath(new URL('shown-texts.ts', import.meta.url));
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
  return JSON.parse(execFileSync(process.execPath, ['--import', 'tsx', script], options)) as ShownTexts;
}

const { dependencies, devDependencies } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const cldr = Object.keys(devDependencies).filter((name) => name.startsWith('cldr-'));
const timeZones = Object.keys(dependencies).filter((name) => name === 'moment-timezone');

const before = await shownTexts();
run('npm', 'install', '--save-exact', '--save-dev', ...cldr.map((name) => `${name}@latest`));
run('npm', 'update', ...timeZones);
run(process.execPath, '--import', 'tsx', fileURLToPath(new URL('generate-tables.ts', import.meta.url)));
console.log(shownChanges(before, readShown()).join('\n'));
