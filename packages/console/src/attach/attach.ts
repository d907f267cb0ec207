import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Announcement, announcements } from '@jig/bean-inspection/internal';
import { agentSource } from '../agent/agent-source.ts';
import { type HeldAgent, holdPath, stopPath } from '../agent/holds.ts';
import { attachObstacle, inspectorOf } from '../processes/attachable.ts';
import { addressesInUse, isInOurNamespaces, linuxProcess, linuxProcessesBelow } from '../processes/linux-processes.ts';
import { nodeVersion } from '../processes/node-version.ts';
import { type ProcessFacts, programName } from '../processes/process-facts.ts';
import { AttachError, blocked, patienceMs } from './attach-error.ts';
import { startAgent } from './in-process.ts';
import { callMessage } from './inspector-message.ts';
import {
  callAt,
  callBySignal,
  closeInspectors,
  closeOpenInspector,
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
  /** For how long the inspector was open, as seen from here; undefined where that was not needed, or it was open before. */
  readonly inspectorMs: number | undefined;
  /** For how long the search stopped the event loop at most. */
  readonly longestMs: number;
  /** Resolves when Jig has left the process, or the process has ended. */
  readonly ended: Promise<void>;
  /** Holds it no longer: it leaves, unless somebody else has attached too. */
  readonly release: () => void;
}

/** What is to be known of a process before it is sent a signal; rejects with an `AttachError` where it must not be. */
export async function checkAttachable(pid: number): Promise<ProcessFacts> {
  if (process.platform !== 'linux')
    throw new AttachError(
      'Jig attaches on Linux only: other systems do not tell whether the signal would end a process.',
    );
  const facts = linuxProcess(pid);
  const isNode = facts !== undefined && programName(facts.program).startsWith('node');
  return factsNow(pid, isNode ? await nodeVersion(facts.program) : undefined);
}

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

const instancesOf = async (pid: number): Promise<readonly Announcement[]> =>
  (await announcements()).filter((each) => each.pid === pid);

/** For that long those below a process are watched, at first before anything else is done to them. */
const watches = { first: { forMs: 300, everyMs: 10, isAwaited: true }, later: { forMs: 3000, everyMs: 200 } };
/** While somebody else attaches at the same moment, the inspector may close before we have used it. */
const otherMs = 500;

/** Brings the agent into a process, or holds the one that is there. Rejects with an `AttachError`. */
export async function attach(pid: number, { signal }: AttachOptions = {}): Promise<Attachment> {
  const there = (await instancesOf(pid)).find(({ thread }) => thread === 0);
  if (there !== undefined) return { ...(await holdAll(there, signal)), inspectorMs: undefined };
  await checkAttachable(pid);
  const started = await startIn(pid).catch((error: AttachError) => error);
  const isFailed = started instanceof Error;
  const agent = await agentOf(pid, AbortSignal.timeout(isFailed ? otherMs : patienceMs));
  if (agent === undefined)
    throw isFailed ? started : blocked(pid, 'Its debugger is closed again, and nothing was loaded.');
  return { ...(await holdAll(agent, signal)), inspectorMs: isFailed ? undefined : started };
}

/** @returns for how many milliseconds the inspector was open, unless it was before */
async function startIn(pid: number): Promise<number | undefined> {
  const below = linuxProcessesBelow(pid).filter((each) => openInspector(each) === undefined);
  const patience = AbortSignal.timeout(patienceMs);
  let watched: Promise<void> | undefined;
  const inspectorMs = await useInspector(pid, async () => {
    const before = openInspector(factsNow(pid));
    const options = { isToClose: before === undefined, until: Date.now() + patienceMs, spread: startAgent };
    // Made first, so that the inspector is open for as short as possible.
    const message = callMessage(startAgent, [pid, agentSource(), options]);
    if (before !== undefined) {
      await callAt(before, pid, message, patience);
      return undefined;
    }
    // Nothing happens between this look and the signal.
    const called = callBySignal(factsNow(pid), message, patience);
    if (below.length > 0) watched = closeInspectors(below, watches.first);
    return called;
  });
  await watched;
  if (watched !== undefined) void closeInspectors(below, watches.later);
  return inspectorMs;
}

/** The agent of the main thread, once it is there. */
async function agentOf(pid: number, signal: AbortSignal): Promise<Announcement | undefined> {
  for (;;) {
    const found = (await instancesOf(pid)).find(({ thread }) => thread === 0);
    if (found !== undefined || signal.aborted) return found;
    await delay(10);
  }
}

/** Threads have that long to start their agents: one that is blocked is left out. */
const threadMs = 3000;

/** Holds the agent of a process, and those in its threads. */
async function holdAll(agent: Announcement, signal?: AbortSignal): Promise<Omit<Attachment, 'inspectorMs'>> {
  const { pid, socket } = agent;
  const main = await hold(agent, signal);
  const held = new Map([[socket, main.release]]);
  const patience = AbortSignal.timeout(threadMs);
  while (held.size <= main.threads && !patience.aborted && signal?.aborted !== true) {
    for (const each of await instancesOf(pid))
      if (!held.has(each.socket)) {
        const release = await hold(each, signal).then((one) => one.release, ignore);
        held.set(each.socket, release);
      }
    await delay(10);
  }
  const release = () => {
    for (const each of held.values()) each();
  };
  if (signal?.aborted === true) {
    release();
    throw new AttachError('Not attached.');
  }
  return { pid, socket, longestMs: main.longestMs, ended: main.ended, release };
}

function ignore(): () => void {
  return () => {};
}

interface Held extends HeldAgent {
  readonly ended: Promise<void>;
  readonly release: () => void;
}

const post = (socketPath: string, path: string, signal?: AbortSignal): ClientRequest =>
  process.getBuiltinModule('node:http').request({ socketPath, path, method: 'POST', agent: false, signal }).end();

/** Keeps an agent in its process for as long as a connection is open. */
async function hold({ pid, socket }: Announcement, signal?: AbortSignal): Promise<Held> {
  const sent = post(socket, holdPath);
  const leave = () => sent.destroy();
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new AttachError(`Jig is in process ${pid} already: jig shows its beans.`);
    const ended = new Promise<void>((resolve) => response.on('error', () => {}).once('close', resolve));
    // It leaves at once when the only one who holds it does.
    signal?.addEventListener('abort', leave, { once: true });
    if (signal?.aborted === true) leave();
    const said = once(response.setEncoding('utf8'), 'data') as Promise<[string]>;
    const [text] = await Promise.race([said, ended.then(() => Promise.reject(endedWhile()))]);
    const agent = JSON.parse(text) as HeldAgent & { readonly error?: string };
    if (agent.error !== undefined) throw new AttachError(`Jig could not look into the process: ${agent.error}`);
    return { ...agent, ended, release: leave };
  } catch (error) {
    sent.on('error', () => {}).destroy();
    if (error instanceof AttachError) throw error;
    throw signal?.aborted === true ? new AttachError('Not attached.') : endedWhile();
  }
}

const endedWhile = () => new AttachError('The process ended while Jig attached.');

/** An agent has that long to leave. */
const leaveMs = 1000;

async function leave({ pid, socket }: Announcement): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const [response] = (await once(post(socket, stopPath, signal), 'response')) as [IncomingMessage];
    response.resume();
  } catch (error) {
    throw signal.aborted ? blocked(pid, 'Jig leaves it as soon as it is free.') : error;
  }
}

/**
 * Makes Jig leave a process, whoever holds it; also closes an inspector that opened when nobody waited for it any more.
 * @returns what was done, in a sentence
 */
export async function detach(pid: number): Promise<string> {
  const attached = async () => (await instancesOf(pid)).filter((each) => each.attached === true);
  const agents = await attached();
  await Promise.all(agents.map(leave));
  const patience = AbortSignal.timeout(leaveMs);
  while (agents.length > 0 && !patience.aborted && (await attached()).length > 0) await delay(10);
  if (agents.length > 0) return `Detached from process ${pid}.`;
  if (await closeOpenInspector(pid)) return `Jig was not in process ${pid}; its debugger was open, and is closed now.`;
  throw new AttachError(`Jig is not attached to process ${pid}.`);
}
