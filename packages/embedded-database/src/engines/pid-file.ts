import { readFile } from 'node:fs/promises';
import { commandLineOf, identify } from '../supervisor/process-identity.ts';

/** The pid on the first line of a server's pid file. */
export async function pidIn(path: string): Promise<number | undefined> {
  const [first = ''] = (await readFile(path, 'utf8').catch(() => '')).split('\n');
  return /^\d+$/.test(first.trim()) ? Number(first) : undefined;
}

/** Whether a living process of that program wrote the pid file: pids are used again, by programs of any kind. */
export async function isWrittenByLiving(path: string, programs: RegExp): Promise<boolean> {
  const pid = await pidIn(path);
  if (pid === undefined || (await identify(pid)) === undefined) return false;
  const commandLine = await commandLineOf(pid);
  return commandLine === undefined || programs.test(commandLine.join(' '));
}
