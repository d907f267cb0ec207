import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const hasProc = process.platform === 'linux';

/** Identifies a process: pids are reused, but not with the same start time. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}

/** The identity of a living process; undefined when there is none, or only a zombie. */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const startTime = hasProc ? await startTimeFromProc(pid) : await startTimeFromPs(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  return (await identify(identity.pid))?.startTime === identity.startTime;
}

/** Waits for the end of a process that is not ours. */
export async function hasEndedWithin(milliseconds: number, identity: ProcessIdentity): Promise<boolean> {
  for (const deadline = Date.now() + milliseconds; Date.now() < deadline; await sleep(20))
    if (!(await isAlive(identity))) return true;
  return false;
}

/** The arguments a process was started with; undefined when they cannot be seen. */
export async function commandLineOf(pid: number): Promise<readonly string[] | undefined> {
  try {
    if (hasProc) return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').slice(0, -1);
    const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
    return stdout.trim().split(' ');
  } catch {
    return undefined;
  }
}

export async function childrenOf(parent: number): Promise<readonly ProcessIdentity[]> {
  const pids = hasProc ? await pidsFromProc() : await pidsFromPs(parent);
  const children = await Promise.all(
    pids.map(async (pid) => (!hasProc || (await statFields(pid))?.parent === parent ? identify(pid) : undefined)),
  );
  return children.filter((child) => child !== undefined);
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

async function startTimeFromProc(pid: number): Promise<string | undefined> {
  const fields = await statFields(pid);
  return fields === undefined || 'ZX'.includes(fields.state) ? undefined : fields.startTime;
}

async function statFields(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The second field is the program's name in parentheses, which may itself hold spaces and parentheses: proc(5).
  const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const startTime = rest[17];
  return state === undefined || startTime === undefined ? undefined : { state, parent: Number(parent), startTime };
}

async function pidsFromProc(): Promise<number[]> {
  return (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number);
}

async function startTimeFromPs(pid: number): Promise<string | undefined> {
  const { stdout } = await run('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { env: { LC_ALL: 'C' } }).catch(
    () => ({
      stdout: '',
    }),
  );
  const [state, ...started] = stdout.trim().split(/\s+/);
  return state === undefined || state.startsWith('Z') || started.length === 0 ? undefined : started.join(' ');
}

async function pidsFromPs(parent: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number));
  return rows.filter((row) => row[1] === parent).map((row) => row[0] ?? 0);
}

/** The pid on the first line of a server's pid file. */
export async function readPidFile(path: string): Promise<number | undefined> {
  const [first = ''] = (await readFile(path, 'utf8').catch(() => '')).split('\n');
  return /^\d+$/.test(first.trim()) ? Number(first) : undefined;
}

/** Whether the pid file names a running process of that program: pids are reused by other programs. */
export async function isPidFileOfRunning(path: string, programs: RegExp): Promise<boolean> {
  const pid = await readPidFile(path);
  if (pid === undefined || (await identify(pid)) === undefined) return false;
  const commandLine = await commandLineOf(pid);
  return commandLine === undefined || programs.test(commandLine.join(' '));
}
