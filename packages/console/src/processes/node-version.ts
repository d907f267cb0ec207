import { execFile } from 'node:child_process';

const versions = new Map<string, Promise<string | undefined>>();

/** The version of a Node, such as `24.21.0`, which it tells itself; asked once. Undefined where it does not. */
export function nodeVersion(program: string): Promise<string | undefined> {
  if (program === process.execPath) return Promise.resolve(process.versions.node);
  const known = versions.get(program) ?? askVersion(program);
  versions.set(program, known);
  return known;
}

const askVersion = (program: string) =>
  new Promise<string | undefined>((resolve) => {
    // Without the options in its environment, which may load modules.
    execFile(program, ['--version'], { env: {}, timeout: 2000 }, (_error, stdout = '') =>
      resolve(/^v(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1]),
    );
  });
