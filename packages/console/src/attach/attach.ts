import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type Announcement, announcements } from '@jig/bean-inspection/internal';
import { callMessage, holdPath, post, stopPath } from '../agent/requests.ts';
import { agentSource } from '../agent/source.ts';
import { attachObstacle, inspectorOf } from '../processes/attachable.ts';
import {
  addressesInUse,
  isInOurNamespaces,
  linuxDescendants,
  linuxProcess,
  nodeVersion,
} from '../processes/linux-processes.ts';
import { type ProcessFacts, programName } from '../processes/process-facts.ts';
import { startAgent } from './agent-expression.ts';
import {
  AttachError,
  attachTimeoutMs,
  blockedError,
  callAt,
  callBySignal,
  closeDebugger,
  closeDebuggers,
  debuggerAddress,
} from './debugger.ts';

/** Jig in a process, for as long as this process runs. */
export interface Attachment {
  /** Where the agent serves beans. */
  readonly socket: string;
  /** How long the debugger was open, as measured here; undefined if it was not needed, or was open before. */
  readonly debuggerMs: number | undefined;
}

/** Checks a process before it gets a signal; rejects with an `AttachError` if it must not. */
export async function checkAttachable(pid: number): Promise<ProcessFacts> {
  if (process.platform !== 'linux')
    throw new AttachError(
      'Jig attaches on Linux only: other systems do not tell whether the signal would end a process.',
    );
  const facts = linuxProcess(pid);
  const isNode = facts !== undefined && programName(facts.program).startsWith('node');
  return requireAttachable(pid, isNode ? await nodeVersion(pid) : undefined);
}

function requireAttachable(pid: number, node?: string): ProcessFacts {
  const facts = linuxProcess(pid);
  if (facts === undefined) throw new AttachError(`There is no process ${pid}.`);
  const obstacle = attachObstacle(facts, node) ?? debuggerObstacle(facts);
  if (obstacle !== undefined) throw new AttachError(`Process ${pid} cannot be attached to. ${obstacle}`);
  return facts;
}

/** Why the debugger of a process would be unreachable. */
function debuggerObstacle(facts: ProcessFacts): string | undefined {
  const { pid } = facts;
  if (!isInOurNamespaces(pid)) return 'It runs in a container. Run jig inside of it.';
  const { port } = inspectorOf(facts);
  const isFree = port === 0 || !addressesInUse(pid).some((address) => address.endsWith(`:${port}`));
  if (isFree || debuggerAddress(facts) !== undefined) return undefined;
  return `Port ${port}, where its debugger would open, is in use by another program. End that, or start this one with --inspect-port=0.`;
}

const agentsIn = async (pid: number): Promise<readonly Announcement[]> =>
  (await announcements()).filter((each) => each.pid === pid);

const mainAgentIn = async (pid: number) => (await agentsIn(pid)).find(({ thread }) => thread === 0);

/** If attaching failed because another `jig` attached and closed the debugger first, its agent runs within this time. */
const concurrentAttachMs = 500;

/** Starts the agent in a process, or uses the one that runs there. Rejects with an `AttachError`. @param signal stops waiting for the agent */
export async function attach(pid: number, signal?: AbortSignal): Promise<Attachment> {
  const running = await mainAgentIn(pid);
  if (running !== undefined) {
    await hold(running, signal);
    return { socket: running.socket, debuggerMs: undefined };
  }
  await checkAttachable(pid);
  const started = await startIn(pid).catch((error: AttachError) => error);
  const failure = started instanceof Error ? started : undefined;
  const agent = await agentOf(pid, AbortSignal.timeout(failure === undefined ? attachTimeoutMs : concurrentAttachMs));
  if (agent === undefined) throw failure ?? blockedError(pid, 'Its debugger is closed again, and nothing was loaded.');
  await hold(agent, signal);
  return { socket: agent.socket, debuggerMs: started instanceof Error ? undefined : started };
}

/** @returns how many milliseconds the debugger was open; undefined if it was open before */
async function startIn(pid: number): Promise<number | undefined> {
  const descendants = linuxDescendants(pid).filter((each) => debuggerAddress(each) === undefined);
  const timeout = AbortSignal.timeout(attachTimeoutMs);
  const openBefore = debuggerAddress(requireAttachable(pid));
  const until = Date.now() + attachTimeoutMs;
  const options = { closesInspector: openBefore === undefined, until, holders: [process.pid], code: startAgent };
  // Created first, so that the debugger is open as briefly as possible.
  const message = callMessage(startAgent, [pid, agentSource(), options]);
  if (openBefore !== undefined) {
    await callAt(openBefore, pid, message, timeout);
    return undefined;
  }
  void closeDebuggers(descendants);
  // Checked again, with nothing between this check and the signal.
  return callBySignal(requireAttachable(pid), message, timeout);
}

/** Waits for the agent of the main thread. */
async function agentOf(pid: number, signal: AbortSignal): Promise<Announcement | undefined> {
  for (;;) {
    const found = await mainAgentIn(pid);
    if (found !== undefined || signal.aborted) return found;
    await delay(10);
  }
}

/** Makes this process a holder of the agents of another process; resolves when they have found the beans. */
async function hold(main: Announcement, signal?: AbortSignal): Promise<void> {
  const threads = (await agentsIn(main.pid)).filter(({ thread, attached }) => thread !== 0 && attached === true);
  for (const { socket } of [main, ...threads]) {
    const [response] = (await once(post(socket, `${holdPath}${process.pid}`, signal), 'response').catch(() => {
      throw new AttachError(signal?.aborted === true ? 'Not attached.' : 'The process ended while Jig attached.');
    })) as [IncomingMessage];
    const reason = await text(response);
    if (response.statusCode === 500) throw new AttachError(`Jig could not look into the process: ${reason}`);
    if (response.statusCode !== 204)
      throw new AttachError(`Jig is in process ${main.pid} already: jig shows its beans.`);
  }
}

/** Resolves when the agent in a process has stopped, or the process has ended. */
export async function ended(pid: number): Promise<void> {
  while ((await mainAgentIn(pid)) !== undefined) await delay(endedMs, undefined, { ref: false });
}

const endedMs = 500;

/** How long an agent may take to stop. */
const stopTimeoutMs = 1000;

async function stopAgent({ pid, socket }: Announcement): Promise<void> {
  const signal = AbortSignal.timeout(attachTimeoutMs);
  try {
    const [response] = (await once(post(socket, stopPath, signal), 'response')) as [IncomingMessage];
    response.resume();
  } catch (error) {
    throw signal.aborted ? blockedError(pid, 'Jig leaves it as soon as it is free.') : error;
  }
}

/**
 * Stops the agents of a process, whoever attached them; otherwise closes a debugger that opened too late.
 * @returns what was done, in a sentence
 */
export async function detach(pid: number): Promise<string> {
  const attached = async () => (await agentsIn(pid)).filter((each) => each.attached === true);
  const agents = await attached();
  await Promise.all(agents.map(stopAgent));
  const timeout = AbortSignal.timeout(stopTimeoutMs);
  while (agents.length > 0 && !timeout.aborted && (await attached()).length > 0) await delay(10);
  if (agents.length > 0) return `Detached from process ${pid}.`;
  if (await closeDebugger(pid)) return `Jig was not in process ${pid}; its debugger was open, and is closed now.`;
  throw new AttachError(`Jig is not attached to process ${pid}.`);
}
