import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type ProcessFacts, runsJavaScript, withoutMark } from './process-facts.ts';

/** The unit of times in /proc is a hundredth of a second wherever Node runs (proc(5), `sysconf(_SC_CLK_TCK)`). */
const ticksPerSecond = 100;
/** SIGUSR1 has the number 10, and the first bit stands for 1. */
const sigusr1 = 1n << 9n;

/** Undefined for a file that is gone or may not be read. */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const read = (path: string) => attempt(() => readFileSync(path, 'utf8'));
const link = (path: string) => attempt(() => readlinkSync(path));

const allPids = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name));

/** The processes of a user that run JavaScript. */
export function linuxProcesses(uid: number | undefined): readonly ProcessFacts[] {
  const pids = allPids();
  const listening = new ListeningSockets();
  const own = link('/proc/self/ns/pid');
  return pids.flatMap((pid) => {
    // Checked first, since most processes run something else.
    if (!runsJavaScript(link(`/proc/${pid}/exe`) ?? '')) return [];
    const facts = linuxProcess(Number(pid));
    if (facts?.uid !== uid || facts === undefined) return [];
    // Processes in containers have other ids, files and sockets.
    if (own !== undefined && (link(`/proc/${pid}/ns/pid`) ?? own) !== own) return [];
    return [{ ...facts, addresses: listening.of(facts.pid) }];
  });
}

/** A process without its addresses; undefined when there is none. */
export function linuxProcess(pid: number): ProcessFacts | undefined {
  const folder = `/proc/${pid}`;
  const status = read(`${folder}/status`);
  const stat = read(`${folder}/stat`);
  if (status === undefined || stat === undefined) return undefined;
  // The name of the program comes first, in parentheses, and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z') return undefined;
  const entries = (read(`${folder}/environ`) ?? '').split('\0');
  const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
  const has = (mask: string) => (BigInt(`0x${field(mask) || '0'}`) & sigusr1) !== 0n;
  return {
    pid,
    parentPid: Number(field('PPid')),
    uid: Number(field('Uid').split(/\s+/)[0]),
    program: withoutMark(link(`${folder}/exe`) ?? ''),
    args: (read(`${folder}/cmdline`) ?? '').replace(/\0+$/, '').split('\0'),
    folder: link(`${folder}/cwd`),
    startedAt: (bootSeconds() + Number(fields[19]) / ticksPerSecond) * 1000,
    memory: Number.parseInt(field('VmRSS') || '0', 10) * 1024,
    addresses: [],
    isStopped: fields[0] === 'T' || fields[0] === 't',
    onSigusr1: has('SigCgt') ? 'catches' : has('SigIgn') ? 'ignores' : 'ends',
    environment: Object.fromEntries(entries.map((entry) => entry.split(/=(.*)/s, 2))),
  };
}

/** All descendants of a process that belong to this user, without their addresses. */
export function linuxDescendants(pid: number): readonly ProcessFacts[] {
  const all = allPids().flatMap((each) => linuxProcess(Number(each)) ?? []);
  const below = (parent: number): readonly ProcessFacts[] =>
    all.filter((each) => each.parentPid === parent).flatMap((each) => [each, ...below(each.pid)]);
  return below(pid).filter(({ uid }) => uid === process.getuid?.());
}

/** Where a process listens, such as `127.0.0.1:9229`. */
export const listeningAddresses = (pid: number): readonly string[] => new ListeningSockets().of(pid);

/** The listening addresses in the network namespace of a process. */
export const addressesInUse = (pid: number): readonly string[] => [...listeningIn(pid).values()];

/** Whether a process sees the same processes, files and network as this one: it is not in a container. */
export const isInOurNamespaces = (pid: number): boolean =>
  ['pid', 'mnt', 'net'].every((name) => link(`/proc/${pid}/ns/${name}`) === link(`/proc/self/ns/${name}`));

const bootSeconds = () => Number(/^btime (\d+)$/m.exec(read('/proc/stat') ?? '')?.[1] ?? 0);

/** Finds where processes listen. Each network namespace has its own table, which is read once. */
class ListeningSockets {
  readonly #tables = new Map<string, ReadonlyMap<string, string>>();

  of(pid: number): readonly string[] {
    const table = this.#tableOf(pid);
    const descriptors = attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
    const found = descriptors.flatMap((each) => table.get(link(`/proc/${pid}/fd/${each}`) ?? '') ?? []);
    return [...new Set(found)].sort();
  }

  #tableOf(pid: number): ReadonlyMap<string, string> {
    const namespace = link(`/proc/${pid}/ns/net`) ?? '';
    const table = this.#tables.get(namespace) ?? listeningIn(pid);
    this.#tables.set(namespace, table);
    return table;
  }
}

/** The addresses of listening sockets, by the target of a link in /proc/<pid>/fd: `socket:[4711]`. */
function listeningIn(pid: number): ReadonlyMap<string, string> {
  const lines = ['tcp', 'tcp6'].flatMap((name) => (read(`/proc/${pid}/net/${name}`) ?? '').split('\n').slice(1));
  const rows = lines.map((line) => line.trim().split(/\s+/)).filter(([, , , state]) => state === '0A');
  return new Map(rows.map(([, local = '', ...rest]) => [`socket:[${rest[7]}]`, toAddress(local)]));
}

/** `0100007F:0BB8` is 127.0.0.1:3000: words of four bytes each, the last byte first. */
export function toAddress(hex: string): string {
  const [host = '', port = ''] = hex.split(':');
  const bytes = (host.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).reverse());
  const end = `:${Number.parseInt(port, 16)}`;
  if (bytes.length === 4) return bytes.map((byte) => Number.parseInt(byte, 16)).join('.') + end;
  const groups = bytes.flatMap((byte, index) => (index % 2 === 0 ? [byte + bytes[index + 1]] : []));
  // Written as short as possible.
  return new URL(`http://[${groups.join(':')}]`).hostname + end;
}

const versions = new Map<string, Promise<string | undefined>>();

/** The version of the Node that a process runs, such as `24.21.0`. Runs the executable with `--version`, once for each; works even if its file was replaced. */
export async function nodeVersion(pid: number): Promise<string | undefined> {
  const file = `/proc/${pid}/exe`;
  const program = link(file);
  if (program === undefined || program === link('/proc/self/exe')) return program && process.versions.node;
  const version = versions.get(program) ?? askVersion(file);
  versions.set(program, version);
  return version;
}

const askVersion = (file: string) =>
  new Promise<string | undefined>((resolve) => {
    // Without NODE_OPTIONS, which may load modules.
    execFile(file, ['--version'], { env: {}, timeout: 2000 }, (_error, stdout = '') =>
      resolve(/^v(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1]),
    );
  });
