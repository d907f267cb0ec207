import { setTimeout as delay } from 'node:timers/promises';
import { inspectorOf, isLoopback } from '../processes/attachable.ts';
import { linuxProcess, listeningAddresses } from '../processes/linux-processes.ts';
import { nodeOptions, type ProcessFacts } from '../processes/process-facts.ts';
import { AttachError, blocked, patienceMs } from './attach-error.ts';
import { closeInspector } from './in-process.ts';
import { send } from './inspector.ts';
import { callMessage } from './inspector-message.ts';

/** The address of the inspector of a process, where it is open at the place that its options name. */
export function openInspector(facts: ProcessFacts): string | undefined {
  const { port } = inspectorOf(facts);
  return port === 0 ? undefined : listeningAddresses(facts.pid).find((address) => address.endsWith(`:${port}`));
}

/**
 * Sends SIGUSR1, by which the inspector opens, and calls a function that closes it again. To be called right after the process was looked
 * at: the signal ends one that does not catch it.
 * @returns for how many milliseconds it was open, as seen from here
 */
export async function callBySignal(facts: ProcessFacts, message: string, signal: AbortSignal): Promise<number> {
  const { pid } = facts;
  const before = new Set(listeningAddresses(pid));
  process.kill(pid, 'SIGUSR1');
  const address = await poll(() => listeningAddresses(pid).find((each) => !before.has(each)), signal);
  if (address === undefined) {
    void closeLater(pid, before);
    throw notOpened(facts);
  }
  const openedAt = performance.now();
  if (!isLoopback(hostOf(address))) {
    const end = (await closeAt(pid, address)) ? 'was closed' : 'could not be closed: end the process';
    throw new AttachError(`The debugger of process ${pid} opened on ${address}, for other machines too, and ${end}.`);
  }
  await callAt(address, pid, message, signal);
  const isClosed = await poll(() => !listeningAddresses(pid).includes(address) || undefined, signal);
  if (isClosed === undefined) throw new AttachError(`The debugger of process ${pid} is still open, on ${address}.`);
  return performance.now() - openedAt;
}

/** Calls a function in a process by its open inspector. Rejects with an `AttachError`. */
export async function callAt(address: string, pid: number, message: string, signal: AbortSignal): Promise<void> {
  try {
    await send(address, message, signal);
  } catch (error) {
    if (linuxProcess(pid) === undefined) throw new AttachError(`Process ${pid} ended while Jig attached.`);
    if (signal.aborted)
      throw blocked(pid, `Its debugger may still be open, on ${address}: jig detach ${pid} closes it.`);
    throw new AttachError(`The debugger of process ${pid} did not do what it was asked: ${(error as Error).message}`);
  }
}

const hostOf = (address: string) => address.replace(/:\d+$/, '');

function notOpened(facts: ProcessFacts): AttachError {
  const { pid } = facts;
  if (linuxProcess(pid) === undefined) return new AttachError(`Process ${pid} has ended.`);
  const { port } = inspectorOf(facts);
  return new AttachError(
    `Process ${pid} was sent SIGUSR1 and has not opened its debugger within ${patienceMs / 1000} s: it handles this signal itself, or it is busy. ` +
      `If it is busy, the signal stays pending: its debugger opens once it is free, ${port === 0 ? 'on any port' : `on port ${port}`}, and jig detach ${pid} closes it.`,
  );
}

/** Asks every few milliseconds; gives undefined when the signal came first. */
async function poll<Result>(ask: () => Result | undefined, signal: AbortSignal): Promise<Result | undefined> {
  for (;;) {
    const result = ask();
    if (result !== undefined || signal.aborted) return result;
    await delay(2);
  }
}

/** Closes the inspector if it opens while we still run. */
async function closeLater(pid: number, before: ReadonlySet<string>): Promise<void> {
  while (linuxProcess(pid) !== undefined) {
    await delay(200, undefined, { ref: false });
    const address = listeningAddresses(pid).find((each) => !before.has(each));
    if (address !== undefined && (await closeAt(pid, address))) return;
  }
}

async function closeAt(pid: number, address: string): Promise<boolean> {
  inUse.add(pid);
  try {
    await send(address, callMessage(closeInspector, [pid]), AbortSignal.timeout(patienceMs));
    return true;
  } catch {
    return false;
  } finally {
    inUse.delete(pid);
  }
}

/** The processes whose inspector we use at the moment. */
const inUse = new Set<number>();

/** Lets nobody else here use or close the inspector of a process meanwhile. */
export async function useInspector<Result>(pid: number, use: () => Promise<Result>): Promise<Result> {
  while (inUse.has(pid)) await delay(5);
  inUse.add(pid);
  try {
    return await use();
  } finally {
    inUse.delete(pid);
  }
}

/** Closes the inspector of a process, unless it was started with one; false where there is none to close. */
export async function closeOpenInspector(pid: number): Promise<boolean> {
  const facts = linuxProcess(pid);
  if (facts === undefined || nodeOptions(facts).some((each) => /^--inspect(?:-brk|-wait)?(?:=|$)/.test(each)))
    return false;
  const address = openInspector(facts);
  return address !== undefined && (await closeAt(pid, address));
}

interface Watch {
  readonly forMs: number;
  readonly everyMs: number;
  /** Whether this process goes on for it. */
  readonly isAwaited?: boolean;
}

/**
 * The primary of a cluster passes SIGUSR1 on to its workers. Those that find their port free would leave their inspector open.
 * @param below those whose inspector was closed before
 */
export async function closeInspectors(
  below: readonly ProcessFacts[],
  { forMs, everyMs, isAwaited = false }: Watch,
): Promise<void> {
  const end = performance.now() + forMs;
  while (performance.now() < end) {
    for (const facts of below) {
      const address = inUse.has(facts.pid) ? undefined : openInspector(facts);
      if (address !== undefined) await closeAt(facts.pid, address);
    }
    await delay(everyMs, undefined, { ref: isAwaited });
  }
}
