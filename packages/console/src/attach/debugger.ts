import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { callMessage } from '../agent/requests.ts';
import { inspectorOf, isLoopback } from '../processes/attachable.ts';
import { linuxProcess, listeningAddresses } from '../processes/linux-processes.ts';
import { nodeOptions, type ProcessFacts } from '../processes/process-facts.ts';
import { closeInspector } from './agent-expression.ts';

/** Why Jig is not in a process, and what to do, in a sentence or two. */
export class AttachError extends Error {}

/** How long a process may take to open its debugger, and then to start the agent. */
export const attachTimeoutMs = 4500;

export const blockedError = (pid: number, rest: string) =>
  new AttachError(`The event loop of process ${pid} has been blocked for ${attachTimeoutMs / 1000} s. ${rest}`);

/** The address of the debugger of a process, if it listens on the port that its options name. */
export function debuggerAddress(facts: ProcessFacts): string | undefined {
  const { port } = inspectorOf(facts);
  return port === 0 ? undefined : listeningAddresses(facts.pid).find((address) => address.endsWith(`:${port}`));
}

/**
 * Opens the debugger by SIGUSR1, and calls a function that closes it again. Call this right after `attachObstacle`: the signal ends a
 * process that does not catch it.
 * @returns how many milliseconds the debugger was open, as measured here
 */
export async function callBySignal(facts: ProcessFacts, message: string, signal: AbortSignal): Promise<number> {
  const { pid } = facts;
  const before = new Set(listeningAddresses(pid));
  process.kill(pid, 'SIGUSR1');
  const address = await poll(() => listeningAddresses(pid).find((each) => !before.has(each)), signal);
  if (address === undefined) throw notOpened(facts);
  const openedAt = performance.now();
  if (!isLoopback(address.replace(/:\d+$/, ''))) {
    const end = (await closeAt(pid, address)) ? 'was closed' : 'could not be closed: end the process';
    throw new AttachError(`The debugger of process ${pid} opened on ${address}, for other machines too, and ${end}.`);
  }
  await callAt(address, pid, message, signal);
  const isClosed = await poll(() => !listeningAddresses(pid).includes(address) || undefined, signal);
  if (isClosed === undefined) throw new AttachError(`The debugger of process ${pid} is still open, on ${address}.`);
  return performance.now() - openedAt;
}

/** Calls a function in a process through its open debugger. Rejects with an `AttachError`. */
export async function callAt(address: string, pid: number, message: string, signal: AbortSignal): Promise<void> {
  try {
    await send(address, message, signal);
  } catch (error) {
    if (linuxProcess(pid) === undefined) throw new AttachError(`Process ${pid} ended while Jig attached.`);
    if (signal.aborted)
      throw blockedError(pid, `Its debugger may still be open, on ${address}: jig detach ${pid} closes it.`);
    throw new AttachError(`The debugger of process ${pid} did not do what it was asked: ${(error as Error).message}`);
  }
}

function notOpened(facts: ProcessFacts): AttachError {
  const { pid } = facts;
  if (linuxProcess(pid) === undefined) return new AttachError(`Process ${pid} has ended.`);
  const { port } = inspectorOf(facts);
  return new AttachError(
    `Process ${pid} was sent SIGUSR1 and has not opened its debugger within ${attachTimeoutMs / 1000} s: it handles this signal itself, or it is busy. ` +
      `If it is busy, the signal stays pending: its debugger opens once it is free, ${port === 0 ? 'on any port' : `on port ${port}`}, and jig detach ${pid} closes it.`,
  );
}

/** Reads every few milliseconds until there is a result; undefined if the signal aborts first. */
async function poll<Result>(read: () => Result | undefined, signal: AbortSignal): Promise<Result | undefined> {
  for (;;) {
    const result = read();
    if (result !== undefined || signal.aborted) return result;
    await delay(2);
  }
}

async function closeAt(pid: number, address: string): Promise<boolean> {
  try {
    await send(address, callMessage(closeInspector, [pid]), AbortSignal.timeout(attachTimeoutMs));
    return true;
  } catch {
    return false;
  }
}

/** Closes the debugger of a process, unless it was started with one; returns false if none was open. */
export async function closeDebugger(pid: number): Promise<boolean> {
  const facts = linuxProcess(pid);
  if (facts === undefined || nodeOptions(facts).some((each) => /^--inspect(?:-brk|-wait)?(?:=|$)/.test(each)))
    return false;
  const address = debuggerAddress(facts);
  return address !== undefined && (await closeAt(pid, address));
}

/** When its debugger opens, the primary of a cluster also opens those of its workers; they are closed again for this long. */
const workerWatchMs = 3000;

/** @param descendants processes whose debugger was not open before */
export async function closeDebuggers(descendants: readonly ProcessFacts[]): Promise<void> {
  const end = performance.now() + workerWatchMs;
  while (descendants.length > 0 && performance.now() < end) {
    for (const facts of descendants) {
      const address = debuggerAddress(facts);
      if (address !== undefined) await closeAt(facts.pid, address);
    }
    await delay(10);
  }
}

/** The loopback address in place of the unspecified one, which the debugger refuses as a host. */
const toLoopback = (address: string) => address.replace(/^0\.0\.0\.0:/, '127.0.0.1:').replace(/^\[::\]:/, '[::1]:');

/**
 * Sends a message to the debugger that listens at an address such as `127.0.0.1:9229`. Resolves once it has answered, or was closed;
 * rejects with what went wrong. Node 20 has no WebSocket of its own, and one message does not need more than this.
 */
async function send(address: string, message: string, signal: AbortSignal): Promise<void> {
  const { get } = process.getBuiltinModule('node:http');
  const listed = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`http://${toLoopback(address)}/json/list`, { agent: false, signal }, resolve).once('error', reject);
  });
  const [target] = (await json(listed)) as readonly { readonly webSocketDebuggerUrl: string }[];
  const socket = await openWebSocket(target?.webSocketDebuggerUrl.replace(/^ws/, 'http') ?? '', signal);
  const answer = firstMessage(socket);
  socket.write(textFrame(message));
  const text = await answer;
  socket.destroy();
  const { error, result } = JSON.parse(text ?? '{}') as Answer;
  const problem = error?.message ?? result?.exceptionDetails?.exception?.description;
  if (problem !== undefined) throw new Error(problem);
}

interface Answer {
  readonly error?: { readonly message: string };
  readonly result?: { readonly exceptionDetails?: { readonly exception?: { readonly description?: string } } };
}

function openWebSocket(url: string, signal: AbortSignal): Promise<Duplex> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  };
  return new Promise((resolve, reject) => {
    process
      .getBuiltinModule('node:http')
      .get(url, { agent: false, signal, headers })
      .once('upgrade', (_response, socket) => resolve(socket))
      .once('response', ({ statusCode }) => reject(new Error(`It answered ${statusCode}.`)))
      .once('error', reject);
  });
}

/** The first byte of a text message in a single frame; any other frame announces the end of the connection. */
const textFrameStart = 0x81;

/** Clients must mask what they send (RFC 6455, section 5.3); a mask of zeros changes nothing, and no proxy is in between. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(14);
  head.writeUInt8(textFrameStart);
  head.writeUInt8(0xff, 1);
  head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}

/** The first message, which is short; undefined if the connection ends first. */
function firstMessage(socket: Duplex): Promise<string | undefined> {
  let bytes = Buffer.alloc(0);
  return new Promise((resolve) => {
    socket.once('close', () => resolve(undefined)).on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      // The process that closes its debugger waits until the client has closed the connection.
      if (bytes.readUInt8(0) !== textFrameStart) socket.destroy();
      if (bytes.length < 4) return;
      const [start, length] = bytes.readUInt8(1) < 126 ? [2, bytes.readUInt8(1)] : [4, bytes.readUInt16BE(2)];
      if (bytes.length >= start + length) resolve(bytes.toString('utf8', start, start + length));
    });
  });
}
