import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type ProcessFacts, runsJavaScript } from './process-facts.ts';

const run = promisify(execFile);

/** What a program prints, in English whatever the language of the user. */
async function output(program: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, LC_ALL: 'C' };
  return (await run(program, args, { env, timeout: 5000, maxBuffer: 2 ** 26 })).stdout;
}

const facts = ['pid', 'ppid', 'uid', 'rss', 'time', 'lstart', 'comm'];
const asOptions = (keywords: readonly string[]) => keywords.flatMap((keyword) => ['-o', `${keyword}=`]);

/** The same by `ps` and `lsof`, for macOS. They do not tell what a process does on a signal. */
export async function psProcesses(uid: number | undefined): Promise<readonly ProcessFacts[]> {
  const user = String(uid);
  const [rows, commands] = await Promise.all([
    output('ps', ['-U', user, '-ww', ...asOptions(facts)]),
    output('ps', ['-U', user, '-ww', ...asOptions(['pid', 'command'])]),
  ]);
  const wanted = parsePs(rows, commands).filter(({ program }) => runsJavaScript(program));
  if (wanted.length === 0) return [];
  const pids = wanted.map(({ pid }) => pid).join();
  const [listening, folders] = await Promise.all([
    lsof(['-nP', '-a', '-p', pids, '-iTCP', '-sTCP:LISTEN']),
    lsof(['-a', '-p', pids, '-d', 'cwd']),
  ]);
  return wanted.map((each) => ({
    ...each,
    addresses: [...new Set(listening.get(each.pid))].sort(),
    folder: folders.get(each.pid)?.[0],
  }));
}

/** The names of files by process. It fails when one of the processes has none of them, and when it is not there. */
async function lsof(args: readonly string[]): Promise<ReadonlyMap<number, readonly string[]>> {
  const printed = await output('lsof', [...args, '-Fpn']).catch(({ stdout = '' }: { stdout?: string }) => stdout);
  return parseLsof(printed);
}

/** Lines of `lsof -F`: `p` and a process, then `n` and a name for each of its files. */
export function parseLsof(printed: string): ReadonlyMap<number, readonly string[]> {
  const names = new Map<number, string[]>();
  let current: string[] = [];
  for (const line of printed.split('\n')) {
    if (line.startsWith('n')) current.push(line.slice(1));
    if (!line.startsWith('p')) continue;
    current = [];
    names.set(Number(line.slice(1)), current);
  }
  return names;
}

const row = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+([\d:.-]+)\s+(\w{3} +\w{3} +\d+ [\d:]+ \d{4})\s+(.*)$/;

/** What `ps` has printed: the facts, and the command lines apart, since either may hold blanks. */
export function parsePs(rows: string, commands: string): readonly ProcessFacts[] {
  const lines = commands.split('\n').map((line) => /^\s*(\d+)\s(.*)$/.exec(line) ?? []);
  const commandOf = new Map(lines.map(([, pid = '', command = '']) => [pid, command.trim()]));
  return rows.split('\n').flatMap((line) => {
    const [, pid, ppid, uid, rss, time = '', start = '', name = ''] = row.exec(line) ?? [];
    if (pid === undefined) return [];
    const command = commandOf.get(pid) ?? '';
    const [first = ''] = command.split(' ', 1);
    // Where `ps` tells the name of the main thread, Node 24 and newer have one of their own.
    const program = runsJavaScript(first) && !runsJavaScript(name) ? first : name;
    // The arguments come in one line: where one ends cannot be told, except for the program.
    const rest = command.startsWith(`${program} `) ? command.slice(program.length) : command.replace(/^\S*/, '');
    return [
      {
        pid: Number(pid),
        parentPid: Number(ppid),
        uid: Number(uid),
        program,
        args: [program, ...rest.split(' ').filter(Boolean)],
        startedAt: Date.parse(start),
        memory: Number(rss) * 1024,
        cpuSeconds: seconds(time),
        addresses: [],
        environment: {},
      },
    ];
  });
}

/** `1-02:03:04` or `3:04.50`. */
function seconds(time: string): number {
  const [days, clock] = time.includes('-') ? time.split('-') : ['0', time];
  return (clock ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days) * 86_400;
}
