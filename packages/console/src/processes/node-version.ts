import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';

const versions = new Map<string, Promise<string | undefined>>();

/**
 * The version of a Node, such as `24.21.0`, which it tells itself; asked once. Undefined where it does not.
 * @param pid a process that runs it: on Linux, that is what is asked, even if another file has its name by now
 */
export function nodeVersion(program: string, pid?: number): Promise<string | undefined> {
  const file = process.platform === 'linux' && pid !== undefined ? `/proc/${pid}/exe` : program;
  const key = keyOf(file);
  if (key === keyOf(process.platform === 'linux' ? '/proc/self/exe' : process.execPath))
    return Promise.resolve(process.versions.node);
  const known = versions.get(key) ?? askVersion(file);
  versions.set(key, known);
  return known;
}

function keyOf(file: string): string {
  try {
    const { dev, ino } = statSync(file);
    return `${dev} ${ino}`;
  } catch {
    return file;
  }
}

const askVersion = (file: string) =>
  new Promise<string | undefined>((resolve) => {
    // Without the options in its environment, which may load modules.
    execFile(file, ['--version'], { env: {}, timeout: 2000 }, (_error, stdout = '') =>
      resolve(/^v(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1]),
    );
  });
