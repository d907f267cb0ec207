import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Announcement, announcements } from '@jig/bean-inspection/internal';
import { inspect } from '@jig/inspect';
import { attachObstacle } from './attachable.ts';
import { linuxProcesses, nodeVersion } from './linux-processes.ts';
import { type ProcessFacts, programName, scriptOf } from './process-facts.ts';
import { isTool } from './tools.ts';

/** A process of this user that runs JavaScript. */
export interface NodeProcess {
  readonly pid: number;
  readonly parentPid: number;
  /** The name of the application, from the nearest package.json. */
  readonly name: string;
  /** `worker 2` in a cluster. */
  readonly label?: string | undefined;
  /** With secrets masked. */
  readonly command: string;
  readonly node?: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** In bytes; undefined if the system does not list the process. */
  readonly memory?: number | undefined;
  readonly addresses: readonly string[];
  /** Its threads with bean inspection in them, including the main thread. */
  readonly instances: readonly Announcement[];
  /** Why it cannot be attached to; undefined when it can. */
  readonly obstacle?: string | undefined;
  /** Whether it belongs to an editor or a tool such as npm. */
  readonly isTool: boolean;
}

export interface ProcessList {
  readonly time: Date;
  readonly processes: readonly NodeProcess[];
  /** Why only processes with bean inspection in them are listed. */
  readonly problem?: string | undefined;
}

/** Lists the processes of this user that run JavaScript; on macOS those with Jig in them, since others cannot be attached to there. */
export async function listProcesses(): Promise<ProcessList> {
  const facts = process.platform === 'linux' ? linuxProcesses(process.getuid?.()) : [];
  const instances = await announcements();
  const known = await Promise.all(facts.map((each) => toProcess(each, instances)));
  const others = unlisted(instances, new Set(facts.map(({ pid }) => pid)));
  return { time: new Date(), processes: [...known, ...others].sort(byName), problem: platformProblem() };
}

const platformProblem = () =>
  ['linux', 'darwin'].includes(process.platform)
    ? undefined
    : `On ${process.platform}, Jig does not know how to list processes. Use Linux, macOS or WSL.`;

export const byName = (one: NodeProcess, other: NodeProcess) =>
  one.name.localeCompare(other.name, 'en') || one.pid - other.pid;

/** The main thread first: their start times are too similar to sort by. */
const instancesOf = (pid: number, all: readonly Announcement[]) =>
  all.filter((each) => each.pid === pid).sort((one, other) => one.thread - other.thread || one.mount - other.mount);

async function toProcess(facts: ProcessFacts, all: readonly Announcement[]): Promise<NodeProcess> {
  const { pid, parentPid, startedAt, memory, environment } = facts;
  const instances = instancesOf(pid, all);
  const [main] = instances;
  const node = main?.node ?? (programName(facts.program).startsWith('node') ? await nodeVersion(pid) : undefined);
  const worker = environment.NODE_UNIQUE_ID;
  return {
    pid,
    parentPid,
    name: main?.application || packageName(facts) || basename(scriptOf(facts) ?? `process ${pid}`),
    label: worker === undefined ? undefined : `worker ${worker}`,
    command: maskedCommand(facts.args),
    node: node?.replace(/^v/, ''),
    startedAt,
    memory,
    addresses: facts.addresses,
    instances,
    obstacle: instances.length > 0 ? undefined : attachObstacle(facts, node),
    isTool: instances.length === 0 && isTool(facts),
  };
}

/** Processes that announce themselves but are not listed by the system. */
function unlisted(all: readonly Announcement[], listed: ReadonlySet<number>): readonly NodeProcess[] {
  const pids = new Set(all.map(({ pid }) => pid).filter((pid) => !listed.has(pid)));
  return [...pids].map((pid) => {
    const instances = instancesOf(pid, all);
    const [first] = instances;
    return {
      pid,
      parentPid: first?.parentPid ?? 0,
      name: first?.application || `process ${pid}`,
      command: '',
      node: first?.node.replace(/^v/, ''),
      startedAt: Date.parse(first?.startedAt ?? ''),
      addresses: first?.addresses.map((address) => address.replace(/^https?:\/\//, '')) ?? [],
      instances,
      isTool: false,
    };
  });
}

/** `--password hunter2` and the like are masked as in a bean. */
function maskedCommand([program = '', ...args]: readonly string[]): string {
  const shown = [program.replace(/^.*\/(?=[^/ ]+$)/, ''), ...args];
  return (JSON.parse(inspect(shown).toString()) as readonly unknown[]).map(String).join(' ');
}

/** The name in the nearest package.json that has one, from the script upwards; for an installed program, from its working directory upwards. */
function packageName(facts: ProcessFacts): string | undefined {
  const { folder } = facts;
  const script = scriptOf(facts);
  if (folder === undefined) return undefined;
  const start = script === undefined ? folder : dirname(resolve(folder, script));
  return nameAbove(/\/node_modules(?:\/|$)/.test(start) ? folder : start);
}

function nameAbove(folder: string): string | undefined {
  try {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly name?: unknown };
    if (typeof name === 'string' && name !== '') return name;
  } catch {
    // There is no package.json here, or it is invalid.
  }
  const above = dirname(folder);
  return above === folder ? undefined : nameAbove(above);
}
