import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Announcement, announcements, ask } from '@jig/bean-inspection/internal';
import { stopPath } from '../agent/stop-request.ts';
import { attachObstacle, inspectorOf } from '../processes/attachable.ts';
import { addressesInUse, isInOurNamespaces, linuxProcess, linuxProcessesBelow } from '../processes/linux-processes.ts';
import { nodeVersion } from '../processes/node-version.ts';
import { type ProcessFacts, programName } from '../processes/process-facts.ts';
import { type AgentRequest, Home, startAgent } from './agent-connection.ts';
import { AttachError, blocked, patienceMs } from './attach-error.ts';
import { connectBack } from './connect-back.ts';
import {
  closeInspectors,
  closeOpenInspector,
  evaluateAt,
  evaluateBySignal,
  openInspector,
  useInspector,
} from './open-inspectors.ts';

export interface AttachOptions {
  /** Gives up; not while the inspector is open. */
  readonly signal?: AbortSignal | undefined;
}

/** Jig in a process, for as long as a connection to it is open. */
export interface Attachment {
  readonly pid: number;
  /** Where the agent serves beans. */
  readonly socket: string;
  /** For how long the inspector was open, as seen from here; undefined where it was open before. */
  readonly inspectorMs: number | undefined;
  /** For how long the search stopped the event loop at most. */
  readonly longestMs: number;
  /** Resolves when Jig has left the process, or the process has ended. */
  readonly ended: Promise<void>;
  detach(): Promise<void>;
}

/** What is to be known of a process before it is sent a signal; rejects with an `AttachError` where it must not be. */
export async function checkAttachable(pid: number): Promise<ProcessFacts> {
  if (process.platform !== 'linux')
    throw new AttachError(
      'Jig attaches on Linux only: other systems do not tell whether the signal would end a process.',
    );
  const [there] = await instancesOf(pid);
  if (there !== undefined) throw new AttachError(`Jig is in process ${pid} already: jig shows its beans.`);
  const facts = linuxProcess(pid);
  const isNode = facts !== undefined && programName(facts.program).startsWith('node');
  return factsNow(pid, isNode ? await nodeVersion(facts.program) : undefined);
}

const instancesOf = async (pid: number): Promise<readonly Announcement[]> =>
  (await announcements()).filter((each) => each.pid === pid);

function factsNow(pid: number, node?: string): ProcessFacts {
  const facts = linuxProcess(pid);
  if (facts === undefined) throw new AttachError(`There is no process ${pid}.`);
  const obstacle = attachObstacle(facts, node) ?? wayObstacle(facts);
  if (obstacle !== undefined) throw new AttachError(`Process ${pid} cannot be attached to. ${obstacle}`);
  return facts;
}

/** Why the inspector of a process could not be reached. */
function wayObstacle(facts: ProcessFacts): string | undefined {
  const { pid } = facts;
  if (!isInOurNamespaces(pid)) return 'It runs in a container. Run jig inside of it.';
  const { port } = inspectorOf(facts);
  const isFree = port === 0 || !addressesInUse(pid).some((address) => address.endsWith(`:${port}`));
  if (isFree || openInspector(facts) !== undefined) return undefined;
  return `Port ${port}, where its debugger would open, is in use by another program. End that, or start this one with --inspect-port=0.`;
}

/** For that long those below a process are watched, at first before anything else is done to them. */
const watches = { first: { forMs: 300, everyMs: 10 }, later: { forMs: 3000, everyMs: 200 } };

/** Brings the agent into a process. Rejects with an `AttachError`. */
export async function attach(pid: number, { signal }: AttachOptions = {}): Promise<Attachment> {
  await checkAttachable(pid);
  const below = linuxProcessesBelow(pid).filter((each) => openInspector(each) === undefined);
  const patience = AbortSignal.timeout(patienceMs);
  using home = new Home(pid);
  let watched: Promise<void> | undefined;
  const inspectorMs = await useInspector(pid, async () => {
    // Nothing happens between this look and the signal.
    const facts = factsNow(pid);
    const open = openInspector(facts);
    const expression = connectBack(pid, home.path, open === undefined);
    if (open !== undefined) {
      await evaluateAt(open, pid, expression, patience);
      return undefined;
    }
    const evaluated = evaluateBySignal(facts, expression, patience);
    if (below.length > 0) watched = closeInspectors(below, watches.first);
    return evaluated;
  });
  const connection = await home.next(patience);
  if (connection === undefined) throw blocked(pid, 'Its debugger is closed again, and nothing was loaded.');
  const request = { signal, inThreads: connectBack(pid, home.path, false) };
  const [{ socket, statistics, threads }] = await Promise.all([startAgent(connection, request), watched]);
  if (watched !== undefined) void closeInspectors(below, watches.later);
  const others = await startInThreads(home, threads, { signal });
  return { pid, socket, inspectorMs, longestMs: statistics.longestMs, ...held(connection, others) };
}

/** A thread has that long to connect back: one that is blocked is left out. */
const threadMs = 1000;

/** Brings the agent into the threads of a process. */
async function startInThreads(home: Home, count: number, request: AgentRequest): Promise<readonly Socket[]> {
  const patience = AbortSignal.timeout(threadMs);
  const arrived = await Promise.all(Array.from({ length: count }, () => home.next(patience)));
  const connections = arrived.filter((each) => each !== undefined);
  await Promise.allSettled(connections.map((each) => startAgent(each, request)));
  return connections;
}

/** An agent has that long to leave. */
const leaveMs = 1000;

function held(connection: Socket, threads: readonly Socket[]): Pick<Attachment, 'ended' | 'detach'> {
  const all = [connection, ...threads];
  const closed = all.map((each) => new Promise<void>((resolve) => each.once('close', () => resolve())));
  return {
    ended: closed[0] as Promise<void>,
    async detach() {
      for (const each of all) each.end();
      await Promise.race([Promise.all(closed), delay(leaveMs, undefined, { ref: false })]);
      for (const each of all) each.destroy();
    },
  };
}

async function leave({ pid, socket }: Announcement): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs);
  try {
    (await ask({ socket, method: 'POST', path: stopPath, headers: {}, signal })).resume();
  } catch (error) {
    throw signal.aborted ? blocked(pid, 'Jig leaves it as soon as it is free.') : error;
  }
}

/**
 * Makes Jig leave a process, whoever holds it; also closes an inspector that opened when nobody waited for it any more.
 * @returns what was done, in a sentence
 */
export async function detach(pid: number): Promise<string> {
  const agents = (await instancesOf(pid)).filter(({ attached }) => attached === true);
  await Promise.all(agents.map(leave));
  if (agents.length > 0) return `Detached from process ${pid}.`;
  if (await closeOpenInspector(pid)) return `Jig was not in process ${pid}; its debugger was open, and is closed now.`;
  throw new AttachError(`Jig is not attached to process ${pid}.`);
}
