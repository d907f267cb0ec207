import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { pathOf } from '@jig/http';
import { withInstance } from '../http/address.ts';
import { type Answer, truncatedHeader } from '../http/answer.ts';
import { BeanProblem } from '../http/problem.ts';
import { type InspectionRequest, instanceHeader, prefixHeader, type RawRequest, readBody } from '../http/request.ts';
import type { Mount } from '../mount.ts';
import type { Instance } from './instances.ts';

/** A request to the socket of a process of this user. */
export interface SocketRequest {
  readonly socket: string;
  readonly method?: string | undefined;
  /** With the prefix of the one who is asked, and the query. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Gives the answer as soon as it begins. */
export function ask({ socket, path, body, signal, method = 'GET', headers }: SocketRequest): Promise<IncomingMessage> {
  const { request } = process.getBuiltinModule('node:http');
  return new Promise((resolve, reject) => {
    const options = { socketPath: socket, path, method, headers, agent: false, ...(signal && { signal }) };
    request(options).once('response', resolve).once('error', reject).end(body);
  });
}

/** What an instance has answered, whole. */
export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Asks in a limited time for what is not too large; or says why there is no answer. */
export async function askWithin(
  request: SocketRequest,
  { ms, bytes }: { readonly ms: number; readonly bytes: number },
): Promise<Answered | { readonly fault: string }> {
  const timeout = AbortSignal.timeout(ms);
  const signal = request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]);
  try {
    const answer = await ask({ ...request, signal });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of answer) {
      size += chunk.length;
      // Ends the connection too.
      if (size > bytes) return { fault: `answered with more than ${bytes / 2 ** 20} MB` };
      chunks.push(chunk);
    }
    return { status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() };
  } catch (error) {
    return { fault: timeout.aborted ? `did not answer within ${ms / 1000} s` : faultOf(error) };
  }
}

function faultOf(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED' || code === 'ENOENT') return 'has ended';
  return code.startsWith('HPE_') ? 'answered with what is not HTTP' : `broke off${code && ` (${code})`}`;
}

/** What matters to the one who is asked; neither cookies nor what is about the connection. */
const passedHeaders = /^(?:accept(?:-.*)?|authorization|content-type|mcp-.*|jig-start-page)$/;

/** The headers of a request, as they are passed on. */
export const headersToPass = (headers: IncomingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => passedHeaders.test(name)));

/** What is about a connection, and not about what comes over it (RFC 9110, section 7.6.1). */
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'trailer', 'upgrade', 'date']);

/** An answer that came over a socket, to be sent on as it comes. */
export function passedAnswer(answer: IncomingMessage, client: Pick<RawRequest, 'isClosing'>): Answer {
  const { statusCode: status = 502, statusMessage: reason, headers } = answer;
  const given = Object.entries(headers).filter(([name]) => !ofConnection.has(name));
  return {
    status,
    reason,
    headers: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    body: whileOpen(answer, client),
    isTruncated:
      headers.trailer === undefined ? undefined : () => answer.trailers[truncatedHeader.toLowerCase()] === 'true',
  };
}

/** Until the server closes, which waits for its connections. */
async function* whileOpen(
  answer: IncomingMessage,
  client: Pick<RawRequest, 'isClosing'>,
): AsyncGenerator<Buffer, void, undefined> {
  const timer = setInterval(() => client.isClosing() && answer.destroy(), 1000).unref();
  try {
    yield* answer;
  } finally {
    clearInterval(timer);
  }
}

/** Longer than a bean may take to be created. */
const headMs = 15_000;

/** Passes a request on to another instance, and its answer back. @param read the body, where it was read already */
export async function proxy(
  mount: Mount,
  request: InspectionRequest,
  instance: Instance,
  read?: string,
): Promise<Answer> {
  const { raw, prefix, path, url } = request;
  const query = url.slice(pathOf(url).length);
  const body = raw.method === 'GET' || raw.method === 'HEAD' ? undefined : (read ?? (await readBody(request)));
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), headMs);
  try {
    const answer = await ask({
      socket: instance.socket,
      method: raw.method,
      path: `${instance.prefix}/${path}${query}`,
      headers: { ...headersToPass(raw.headers), [prefixHeader]: withInstance(prefix, instance.id) },
      body,
      signal: AbortSignal.any([raw.signal, late.signal, mount.closeSignal]),
    });
    const passed = passedAnswer(answer, raw);
    const { [instanceHeader.toLowerCase()]: id, ...headers } = passed.headers;
    // Clients without access must not learn who answers.
    if (id === instance.id || (id === undefined && (answer.statusCode === 401 || answer.statusCode === 403)))
      return { ...passed, headers: { ...headers, [instanceHeader]: instance.id } };
    answer.destroy();
    throw new Error('something else answers at its socket');
  } catch (cause) {
    if (late.signal.aborted)
      throw new BeanProblem(504, `The instance ${instance.id} did not answer within ${headMs / 1000} seconds.`, {
        cause,
      });
    // Since it was listed, it may have ended: then this says which are left.
    await mount.instances.find(instance.id);
    throw new BeanProblem(502, `The instance ${instance.id} ${faultOf(cause)}.`, { cause });
  } finally {
    clearTimeout(timer);
  }
}
