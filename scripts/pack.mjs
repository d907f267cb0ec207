// npm run pack [names]: packs packages and what they need of ours into packed/, and prints the line that installs them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

const read = (name) => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));

/** A package and all of ours that it needs. */
const withNeeds = (name) => [
  name,
  ...Object.keys(read(name).dependencies ?? {}).flatMap((each) =>
    each.startsWith('@jig/') ? withNeeds(each.slice('@jig/'.length)) : [],
  ),
];

const asked = process.argv.slice(2).map((name) => name.replace('@jig/', ''));
// What it takes to see inside an application.
const names = [...new Set((asked.length > 0 ? asked : ['bean-inspection', 'console']).flatMap(withNeeds))];

await prepare('service');
const folder = join(root, 'packed');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const workspaces = names.flatMap((name) => ['--workspace', `packages/${name}`]);
const args = ['pack', '--json', '--pack-destination', folder, ...workspaces];
const packed = Object.values(
  JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })),
);
console.log('In the folder of your application:\n');
console.log(`npm install ${packed.map(({ filename }) => join(folder, filename)).join(' ')}`);
