import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Answer, ResourceCall, WrittenDocument } from '../beans/resource.ts';
import { withoutOrigin } from '../http/address.ts';
import type { EventStream } from '../http/event-stream.ts';
import { instanceHeader, passedHeader, prefixHeader } from '../http/instance-headers.ts';
import { BeanProblem } from '../http/problem.ts';
import { readBody } from '../http/request-body.ts';
import type { Instance } from '../instances/instance.ts';
import { ask, faultOf, headersToPass, wholeBody } from '../instances/pass-on.ts';
import { truncatedHeader } from './send-document.ts';

/** Longer than a bean may take to be created. */
const headMs = 15_000;

/** Of a page or a file; documents are passed on as they come. */
const largestWhole = 64 * 2 ** 20;

/** The answer of another instance. */
export async function passedAnswer<Context>(
  call: ResourceCall<Context>,
  instance: Instance,
  body?: string,
): Promise<Answer> {
  const { request, form, instances } = call;
  const refused = (status: 502 | 504, why: string, cause: unknown = new Error(why)) =>
    new BeanProblem(status, `The instance ${instance.id} ${why}.`, { form, cause });
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), headMs);
  const signal = AbortSignal.any([request.raw.signal, late.signal, instances.closed]);
  try {
    const answer = await ask(instance.target, { ...(await passedRequest(call, instance, body)), signal });
    const { [instanceHeader.toLowerCase()]: id, 'content-length': length } = answer.headers;
    const { statusCode: status = 0 } = answer;
    // Whoever may not look is not told who answers.
    if (id !== instance.id && !(id === undefined && (status === 401 || status === 403))) {
      answer.destroy();
      throw refused(502, id === undefined ? 'answered with something else' : 'did not answer, but another one');
    }
    if (length === undefined) return { ...streamed(answer), instance: instance.id };
    // Of HEAD there is only the length.
    const isHead = request.raw.method === 'HEAD';
    const isTooLarge = Number(length) > largestWhole;
    const bytes = isTooLarge
      ? undefined
      : isHead
        ? Buffer.alloc(Number(length))
        : await wholeBody(answer, largestWhole);
    if (bytes === undefined) throw refused(502, `answered with more than ${largestWhole / 2 ** 20} MB`);
    const { statusMessage: reason } = answer;
    return {
      bytes,
      status,
      reason,
      mediaType: mediaTypeOf(answer),
      headers: kept(answer.headers),
      instance: instance.id,
    };
  } catch (error) {
    if (error instanceof BeanProblem) throw error;
    if (late.signal.aborted) throw refused(504, `did not answer within ${headMs / 1000} seconds`, error);
    // Since it was listed, it may have ended.
    const left = (await instances.others({ isFresh: true, hasPeers: false })).map(({ id }) => id);
    if ('socket' in instance.target && !left.includes(instance.id))
      throw call.controller.notFound(request, form, instances.absence(left));
    throw refused(502, faultOf(error), error);
  } finally {
    clearTimeout(timer);
  }
}

async function passedRequest<Context>({ request, form }: ResourceCall<Context>, instance: Instance, read?: string) {
  const { raw, prefix, url } = request;
  const { method = 'GET' } = raw;
  const body = method === 'GET' || method === 'HEAD' ? undefined : (read ?? (await readBody(request, form)));
  const { 'transfer-encoding': _chunks, 'content-length': _length, ...headers } = headersToPass(raw.headers);
  return {
    method,
    path: instance.prefix + withoutOrigin(url).slice(prefix.length),
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      ...instance.headers,
      [prefixHeader]: prefix,
      [passedHeader]: '1',
    },
    body,
  };
}

const mediaTypeOf = ({ headers }: IncomingMessage) => headers['content-type'] ?? 'application/octet-stream';

/** A document or an event stream, as it comes. */
function streamed(answer: IncomingMessage): WrittenDocument | { readonly stream: EventStream } {
  const mediaType = mediaTypeOf(answer);
  if (mediaType.startsWith('text/event-stream')) return { stream: relayed(answer) };
  const inspection = {
    get truncated() {
      const name = truncatedHeader.toLowerCase();
      return (answer.headers[name] ?? answer.trailers[name]) === 'true';
    },
    wholeOrChunks: () => chunksOf(answer),
  };
  return { inspection, mediaType, status: answer.statusCode ?? 200 };
}

async function* chunksOf(answer: IncomingMessage): AsyncGenerator<Buffer, void, undefined> {
  yield* answer;
}

/** How often to see whether the server closes, which waits for its connections. */
const tickMs = 1000;

const relayed = (answer: IncomingMessage): EventStream => ({
  start(sink) {
    let isOpen = true;
    const end = () => {
      if (isOpen) sink.end();
      leave();
    };
    const leave = () => {
      isOpen = false;
      clearInterval(timer);
      answer.destroy();
    };
    const timer = setInterval(() => sink.isClosing() && end(), tickMs).unref();
    answer.setEncoding('utf8').on('data', (text: string) => sink.write(text) || answer.pause());
    answer.once('close', end).on('error', end);
    return { drained: () => answer.resume(), left: leave };
  },
});

const keptHeaders = [
  'allow',
  'cache-control',
  'content-encoding',
  'content-security-policy',
  'location',
  'mcp-session-id',
  'refresh',
  'retry-after',
  'vary',
  'www-authenticate',
];

function kept(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const given = keptHeaders.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, String(value)]];
  });
  return Object.fromEntries(given);
}
