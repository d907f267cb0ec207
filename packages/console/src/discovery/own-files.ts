import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';

/** The file of the main module, with symbolic links resolved. */
export function mainFile(): string {
  const [, main = ''] = process.argv;
  try {
    return realpathSync(main);
  } catch {
    return main;
  }
}

/** Whether a file is one of the application: not of `node_modules`, unless the program was installed there. */
export function isOwnFile(file: string, program: string | undefined): boolean {
  if (!isAbsolute(file)) return false;
  const owner = packageOf(file);
  return owner === undefined || (program !== undefined && isSameProgram(owner, program));
}

/** The package of `node_modules` that a file belongs to. */
export function packageOf(file: string): string | undefined {
  const [, last] = /.*[\\/]node_modules[\\/](.*)$/s.exec(file) ?? [];
  const [first = '', second] = last?.split(/[\\/]/) ?? [];
  if (first === '') return undefined;
  return first.startsWith('@') ? `${first}/${second}` : first;
}

/** The packages of an installed program share its name: `node-red`, `node-red-admin` and `@node-red/…`. */
function isSameProgram(owner: string, program: string): boolean {
  const scope = program.startsWith('@') ? program.split('/')[0] : `@${program}`;
  return owner === program || owner.startsWith(`${scope}/`) || owner.startsWith(`${program}-`);
}
