import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { prefixHeader, startPageHeader } from '../http/instance-headers.ts';

/** What an instance is asked, by another one of its user, or of another machine. */
export interface PassedRequest {
  readonly method: string;
  /** With the query, and the prefix of the one who is asked. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Readable | string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Where an instance is reached: by its socket, or by an address. */
export type Target = { readonly socket: string } | { readonly address: string };

/** Sends a request to an instance, and gives its answer as soon as that begins. */
export async function ask(target: Target, { path, body, ...options }: PassedRequest): Promise<IncomingMessage> {
  const url = new URL(path, 'socket' in target ? 'http://localhost' : target.address);
  // TLS takes long to load, and is for other machines only.
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const place = 'socket' in target ? { socketPath: target.socket } : {};
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, ...place, agent: false });
    sent.once('response', resolve).once('error', reject);
    if (body === undefined || typeof body === 'string') sent.end(body);
    else pipeline(body, sent).catch(reject);
  });
}

/** What an instance has answered, whole. */
export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** What is asked for, and how long and how large the answer may be. */
export interface Bounds extends Partial<Pick<PassedRequest, 'method' | 'body' | 'signal'>> {
  /** Below the prefix. */
  readonly path: string;
  readonly ms: number;
  readonly bytes: number;
}

interface Askable {
  readonly target: Target;
  readonly prefix: string;
  readonly headers: OutgoingHttpHeaders;
}

/** Asks an instance, in a limited time, for what is not too large; or says why there is no answer. */
export async function askWithin(
  { target, prefix, headers }: Askable,
  { path, ms, bytes, method = 'GET', body: sent, signal: leaving }: Bounds,
): Promise<Answered | { readonly fault: string }> {
  const timeout = AbortSignal.timeout(ms);
  const signal = leaving === undefined ? timeout : AbortSignal.any([timeout, leaving]);
  try {
    const answer = await ask(target, { method, path: prefix + path, headers, body: sent, signal });
    const body = await wholeBody(answer, bytes);
    if (body === undefined) return { fault: `answered with more than ${bytes / 2 ** 20} MB` };
    return { status: answer.statusCode ?? 0, headers: answer.headers, text: body.toString() };
  } catch (error) {
    return { fault: timeout.aborted ? `did not answer within ${ms / 1000} s` : faultOf(error) };
  }
}

/** Why an instance could not be asked. */
export function faultOf(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED' || code === 'ENOENT') return 'has ended';
  return code.startsWith('HPE_') ? 'answered with what is not HTTP' : `broke off${code && ` (${code})`}`;
}

/** The body of an answer; undefined when it is too large. */
export async function wholeBody(answer: IncomingMessage, most: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    size += chunk.length;
    // Ends the connection too.
    if (size > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What matters to an instance that is asked; neither who asks nor by which connection. */
const passedHeaders = /^(?:accept(?:-.*)?|content-(?:type|length)|transfer-encoding|mcp-.*|jig-start-page)$/;

/** The headers of a request, as they are passed on. */
export const headersToPass = (headers: IncomingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => passedHeaders.test(name)));

/** What is about a connection, and not about what comes over it (RFC 9110, section 7.6.1). */
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'trailer', 'upgrade', 'date']);

export interface PassOptions {
  /** With the query, and the prefix of the instance. */
  readonly path: string;
  /** What links are to begin with in place of it. */
  readonly prefix: string;
  readonly startPage: string;
}

/** Passes a request of `node:http` on to the socket of an instance, and its answer back. Rejects when nobody answers. */
export async function passOn(
  socket: string,
  request: IncomingMessage,
  response: ServerResponse,
  { path, prefix, startPage }: PassOptions,
): Promise<void> {
  const { method = 'GET' } = request;
  const leaving = new AbortController();
  response.once('close', () => leaving.abort());
  const headers = { ...headersToPass(request.headers), [prefixHeader]: prefix, [startPageHeader]: startPage };
  const body = method === 'GET' || method === 'HEAD' ? undefined : request;
  const answer = await ask({ socket }, { method, path, headers, body, signal: leaving.signal });
  const given = Object.entries(answer.headers).filter(([name]) => !ofConnection.has(name));
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, Object.fromEntries(given));
  response.flushHeaders();
  await pipeline(answer, response).catch(() => response.destroy());
}
