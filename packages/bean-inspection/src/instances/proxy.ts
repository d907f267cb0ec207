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
  /** With the prefix of the other process, and the query. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Resolves as soon as the headers of the answer have arrived. */
export function ask({ socket, path, body, signal, method = 'GET', headers }: SocketRequest): Promise<IncomingMessage> {
  const { request } = process.getBuiltinModule('node:http');
  return new Promise((resolve, reject) => {
    const options = { socketPath: socket, path, method, headers, agent: false, ...(signal && { signal }) };
    request(options).once('response', resolve).once('error', reject).end(body);
  });
}

/** A complete answer of an instance. */
export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Asks with a timeout and a limit for the answer; returns a fault if either is exceeded or the request fails. */
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

/** Headers that matter to the other process: neither cookies nor hop-by-hop headers. */
const passedHeaders = /^(?:accept(?:-.*)?|authorization|content-type|mcp-.*|jig-start-page)$/;

/** The headers of a request, as they are passed on. */
export const headersToPass = (headers: IncomingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => passedHeaders.test(name)));

/** Headers about one connection only (RFC 9110, section 7.6.1). */
const hopByHopHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'trailer', 'upgrade', 'date']);

/** An answer that came over a socket, to be sent on as it comes. */
export function passedAnswer(answer: IncomingMessage, client: Pick<RawRequest, 'isClosing'>): Answer {
  const { statusCode: status = 502, statusMessage: reason, headers } = answer;
  const given = Object.entries(headers).filter(([name]) => !hopByHopHeaders.has(name));
  return {
    status,
    reason,
    headers: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    body: untilServerCloses(answer, client),
    isTruncated:
      headers.trailer === undefined ? undefined : () => answer.trailers[truncatedHeader.toLowerCase()] === 'true',
  };
}

/** The chunks of an answer, cut off when the server closes, which would wait for the connection. */
async function* untilServerCloses(
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
const headTimeoutMs = 15_000;

/** Passes a request on to another instance, and its answer back. @param bodyRead the body, if it was read already */
export async function proxy(
  mount: Mount,
  request: InspectionRequest,
  instance: Instance,
  bodyRead?: string,
): Promise<Answer> {
  const { raw, prefix, path, url } = request;
  const query = url.slice(pathOf(url).length);
  const body = raw.method === 'GET' || raw.method === 'HEAD' ? undefined : (bodyRead ?? (await readBody(request)));
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), headTimeoutMs);
  try {
    const answer = await ask({
      socket: instance.socket,
      method: raw.method,
      path: `${instance.prefix}/${path}${query}`,
      headers: { ...headersToPass(raw.headers), [prefixHeader]: withInstance(prefix, instance.id) },
      body,
      signal: AbortSignal.any([raw.signal, timeout.signal, mount.closeSignal]),
    });
    const passed = passedAnswer(answer, raw);
    const { [instanceHeader.toLowerCase()]: id, ...headers } = passed.headers;
    // Clients without access must not learn who answers.
    if (id === instance.id || (id === undefined && (answer.statusCode === 401 || answer.statusCode === 403)))
      return { ...passed, headers: { ...headers, [instanceHeader]: instance.id } };
    answer.destroy();
    throw new Error('something else answers at its socket');
  } catch (cause) {
    if (timeout.signal.aborted)
      throw new BeanProblem(504, `The instance ${instance.id} did not answer within ${headTimeoutMs / 1000} seconds.`, {
        cause,
      });
    // It may have ended since it was listed: then this throws a problem that lists those that are left.
    await mount.instances.find(instance.id);
    throw new BeanProblem(502, `The instance ${instance.id} ${faultOf(cause)}.`, { cause });
  } finally {
    clearTimeout(timer);
  }
}
