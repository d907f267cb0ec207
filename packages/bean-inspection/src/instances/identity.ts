import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { threadId } from 'node:worker_threads';

/** An instance: a process or a worker thread with bean inspection in it. */
export interface Identity {
  /** `service.instance.id` of OpenTelemetry. */
  readonly id: string;
  /** The label for people: `worker 2`, `thread 3`, else `pid 4711`. */
  readonly label: string;
}

/** The identity of this thread. @param instance the id, where the application chose one */
export function identity(instance?: string): Identity {
  const thread = threadId === 0 ? [] : [`thread ${threadId}`];
  const names = [...workerName(), ...thread];
  return {
    id:
      instance ?? [hostName().replace(/[^\w.~-]/g, '-'), process.pid, ...(threadId === 0 ? [] : [threadId])].join('-'),
    label: names.length === 0 ? `pid ${process.pid}` : names.join(', '),
  };
}

/** Deno would ask the user for permission. */
const hostName = () => (process.versions.deno === undefined ? hostname() : 'deno');

/** PM2 runs the workers of several applications in one cluster, and numbers those of each itself. */
function workerName(): readonly string[] {
  // Every worker has a channel to its parent; in other processes, nothing is loaded for this.
  const cluster = process.channel === undefined ? {} : process.getBuiltinModule('node:cluster');
  const worker: { readonly id: number } | undefined = Reflect.get(cluster, 'worker');
  const { NODE_APP_INSTANCE: number = worker?.id } = process.env;
  return number === undefined || number === '' ? [] : [`worker ${number}`];
}

/** The name and the folder of the application, by which its instances find each other. */
export function applicationOf(name?: string): { readonly application: string; readonly folder: string } {
  const folder = process.cwd();
  return { application: name ?? process.env.npm_package_name ?? nameIn(folder), folder };
}

function nameIn(folder: string): string {
  try {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly name?: unknown };
    if (typeof name === 'string' && name !== '') return name;
  } catch {
    // An application need not be a package.
  }
  return basename(folder);
}

const startKey = Symbol.for('jig.startOfProcess');

/** In milliseconds since 1970, the same for all copies of this package. The global `performance` would load much that an application may not need. */
export const startOfProcess: number =
  Reflect.get(process, startKey) ?? Math.round(Date.now() - 1000 * process.uptime());
Object.defineProperty(process, startKey, { value: startOfProcess, configurable: true });
