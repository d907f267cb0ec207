import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { json } from 'node:stream/consumers';

const { get, request } = process.getBuiltinModule('node:http');

/** Where one that listens on all addresses is asked: it refuses requests for the address that stands for all. */
const reachable = (address: string) => address.replace(/^0\.0\.0\.0:/, '127.0.0.1:').replace(/^\[::\]:/, '[::1]:');

/**
 * Sends a message to the inspector that listens at an address such as `127.0.0.1:9229`. Resolves once it has answered, or was closed;
 * rejects with what went wrong. Node 20 has no WebSocket of its own, and one message does not need more than this.
 */
export async function send(address: string, message: string, signal: AbortSignal): Promise<void> {
  const listed = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`http://${reachable(address)}/json/list`, { agent: false, signal }, resolve).once('error', reject);
  });
  const [target] = (await json(listed)) as readonly { readonly webSocketDebuggerUrl: string }[];
  const socket = await openWebSocket(new URL(target?.webSocketDebuggerUrl ?? ''), signal);
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

function openWebSocket({ host, pathname }: URL, signal: AbortSignal): Promise<Duplex> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  };
  return new Promise((resolve, reject) => {
    const sent = request(`http://${host}${pathname}`, { agent: false, signal, headers });
    sent.once('upgrade', (_response, socket) => resolve(socket));
    sent.once('response', ({ statusCode }) => reject(new Error(`The inspector answered ${statusCode}.`)));
    sent.once('error', reject).end();
  });
}

/** The first byte of a message of text, in one frame; others tell of the end of the connection. */
const textFrameStart = 0x81;

/** Clients have to mask what they send (RFC 6455, section 5.3); zeros change nothing, and nobody is in between. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(14);
  head.writeUInt8(textFrameStart);
  head.writeUInt8(0xff, 1);
  head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}

/** The first message, which is short; undefined when the connection ends before. */
function firstMessage(socket: Duplex): Promise<string | undefined> {
  let bytes = Buffer.alloc(0);
  return new Promise((resolve) => {
    socket.once('close', () => resolve(undefined)).on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      // The process waits until whoever is connected to an inspector that it closes has closed the connection.
      if (bytes.readUInt8(0) !== textFrameStart) socket.destroy();
      if (bytes.length < 4) return;
      const [start, length] = bytes.readUInt8(1) < 126 ? [2, bytes.readUInt8(1)] : [4, bytes.readUInt16BE(2)];
      if (bytes.length >= start + length) resolve(bytes.toString('utf8', start, start + length));
    });
  });
}
