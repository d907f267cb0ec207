import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const hasProc = process.platform === 'linux';

/** Identifies a process: pids are reused, but not with the same start time. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}

/** The identity of a running process; undefined for none or a zombie. */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const startTime = hasProc ? await startTimeFromProc(pid) : await startTimeFromPs(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  return (await identify(identity.pid))?.startTime === identity.startTime;
}

/** Waits for the end of a process that is not a child of this one. */
export async function hasEndedWithin(milliseconds: number, identity: ProcessIdentity): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (Date.now() < deadline) {
    if (!(await isAlive(identity))) return true;
    await sleep(20);
  }
  return false;
}

/** Sends the signal unless the process is gone. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** A hash of the machine, boot and container, within which pids are comparable. */
export async function processSpace(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  const text = JSON.stringify([hostname(), boot, namespace]);
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** The lock file of PostgreSQL in a data folder. */
export const pidFileOf = (dataFolder: string) => join(dataFolder, 'postmaster.pid');

/** The PostgreSQL server that runs in a data folder. The pid in its lock file may belong to another program by now. */
export async function serverIn(dataFolder: string): Promise<ProcessIdentity | undefined> {
  const [first = ''] = (await readFile(pidFileOf(dataFolder), 'utf8').catch(() => '')).split('\n');
  const pid = Number(first);
  const identity = pid > 0 ? await identify(pid) : undefined;
  if (identity === undefined) return undefined;
  const commandLine = hasProc
    ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
    : (await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => undefined))?.stdout;
  return commandLine === undefined || commandLine.includes('postgres') ? identity : undefined;
}

async function startTimeFromProc(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The second field is the program's name in parentheses, which may contain spaces and parentheses (proc(5)).
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || state === 'X' ? undefined : rest[18];
}

async function startTimeFromPs(pid: number): Promise<string | undefined> {
  const asked = run('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { env: { LC_ALL: 'C' } });
  const { stdout } = await asked.catch(() => ({ stdout: '' }));
  const [state = 'Z', ...started] = stdout.trim().split(/\s+/);
  return state.startsWith('Z') || started.length === 0 ? undefined : started.join(' ');
}
