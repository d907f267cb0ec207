import { setTimeout as delay } from 'node:timers/promises';
import { inspectorOf } from '../processes/attachable.ts';
import { linuxProcess, linuxProcesses, listeningAddresses } from '../processes/linux-processes.ts';
import { nodeOptions, type ProcessFacts } from '../processes/process-facts.ts';
import { AttachError, blocked, patienceMs } from './attach-error.ts';
import { closeInspector } from './connect-back.ts';
import { evaluate } from './inspector.ts';

/** The address of the inspector of a process, where it is open at the place that its options name. */
export function openInspector(facts: ProcessFacts): string | undefined {
  const { port } = inspectorOf(facts);
  return port === 0 ? undefined : listeningAddresses(facts.pid).find((address) => address.endsWith(`:${port}`));
}

/**
 * Sends SIGUSR1, by which the inspector opens, and evaluates an expression that closes it again. To be called right after the process was
 * looked at: the signal ends one that does not catch it.
 * @returns for how many milliseconds it was open, as seen from here
 */
export async function evaluateBySignal(facts: ProcessFacts, expression: string, signal: AbortSignal): Promise<number> {
  const { pid } = facts;
  const before = new Set(listeningAddresses(pid));
  inUse.add(pid);
  try {
    process.kill(pid, 'SIGUSR1');
    const address = await poll(() => listeningAddresses(pid).find((each) => !before.has(each)), signal);
    if (address === undefined) {
      void closeLater(pid, before);
      throw notOpened(facts);
    }
    const openedAt = performance.now();
    await evaluateAt(address, pid, expression, signal);
    const isClosed = await poll(() => !listeningAddresses(pid).includes(address) || undefined, signal);
    if (isClosed === undefined) throw new AttachError(`The debugger of process ${pid} is still open, on ${address}.`);
    return performance.now() - openedAt;
  } finally {
    inUse.delete(pid);
  }
}

/** The processes whose inspector we use at the moment. */
const inUse = new Set<number>();

/** Evaluates an expression in a process by its open inspector. Rejects with an `AttachError`. */
export async function evaluateAt(address: string, pid: number, expression: string, signal: AbortSignal): Promise<void> {
  try {
    await evaluate(address, expression, signal);
  } catch (error) {
    if (linuxProcess(pid) === undefined) throw new AttachError(`Process ${pid} ended while Jig attached.`);
    if (signal.aborted)
      throw blocked(pid, `Its debugger may still be open, on ${address}: jig detach ${pid} closes it.`);
    throw new AttachError(`The debugger of process ${pid} did not do what it was asked: ${(error as Error).message}`);
  }
}

function notOpened(facts: ProcessFacts): AttachError {
  const { pid } = facts;
  if (linuxProcess(pid) === undefined) return new AttachError(`Process ${pid} has ended.`);
  const { port } = inspectorOf(facts);
  return new AttachError(
    `Process ${pid} was sent SIGUSR1 and has not opened its debugger within ${patienceMs / 1000} s: it handles this signal itself, or it is busy. ` +
      `If it is busy, the signal stays pending: its debugger opens once it is free, on port ${port || 'by chance'}, and jig detach ${pid} closes it.`,
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

const closeAt = (pid: number, address: string) =>
  evaluate(address, closeInspector(pid), AbortSignal.timeout(patienceMs)).then(
    () => true,
    () => false,
  );

/** Closes the inspector of a process, unless it was started with one; false where there is none to close. */
export async function closeOpenInspector(pid: number): Promise<boolean> {
  const facts = linuxProcess(pid);
  if (facts === undefined || nodeOptions(facts).some((each) => /^--inspect(?:-brk|-wait)?(?:=|$)/.test(each)))
    return false;
  const address = openInspector(facts);
  return address !== undefined && (await closeAt(pid, address));
}

/** All processes of this user below one. */
export function processesBelow(pid: number): readonly ProcessFacts[] {
  const all = linuxProcesses(({ uid }) => uid === process.getuid?.());
  const below = (parent: number): readonly ProcessFacts[] =>
    all.filter((each) => each.parentPid === parent).flatMap((each) => [each, ...below(each.pid)]);
  return below(pid);
}

/** How often, and at which intervals, those below a process are looked at after it was sent the signal. */
const lateChecks = { count: 10, everyMs: 200 };

/**
 * The primary of a cluster passes SIGUSR1 on to its workers. They find the port in use; but one that is late finds it free, and would leave
 * its inspector open.
 * @param before those whose inspector was open before
 */
export async function closeInspectorsBelow(pid: number, before: ReadonlySet<number>): Promise<void> {
  for (let count = 0; count < lateChecks.count; count++) {
    await delay(lateChecks.everyMs, undefined, { ref: false });
    for (const facts of processesBelow(pid)) {
      const address = before.has(facts.pid) || inUse.has(facts.pid) ? undefined : openInspector(facts);
      if (address !== undefined) await closeAt(facts.pid, address);
    }
  }
}
