import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { appendHeader } from '@jig/http';
import { type Answer, type Awaitable, answerHeaders, truncatedHeader } from '../http/answer.ts';
import { isDevelopment } from '../http/first-request.ts';
import { logError } from '../http/report-error.ts';
import type { Mount } from '../mount.ts';
import { parseOptions } from '../options.ts';
import { routes } from '../routes.ts';
import type { Inspectable } from '../sources/plain.ts';
import { type BeanInspectionOptions, Inspector } from './inspector.ts';
import { nodeRequest, sendAnswer } from './node.ts';

export type { BeanInspectionOptions } from './inspector.ts';

/** What is used of a request of Fastify. */
export interface FastifyRequestLike {
  readonly raw: IncomingMessage;
  /** As given by a proxy that `trustProxy` trusts. */
  readonly host: string;
}

/** What is used of a reply of Fastify. */
export interface FastifyReplyLike {
  readonly raw: ServerResponse;
  code(status: number): unknown;
  hasHeader(name: string): boolean;
  getHeader(name: string): number | string | string[] | undefined;
  header(name: string, value: string): unknown;
  trailer(
    name: string,
    value: (reply: unknown, body: unknown, done: (error: null, value: string) => void) => void,
  ): unknown;
  send(body: Buffer | string | Readable): unknown;
  hijack(): unknown;
  callNotFound(): unknown;
}

/** What is used of an instance of Fastify. */
export interface FastifyInstanceLike {
  readonly prefix: string;
  readonly supportedMethods: readonly string[];
  readonly log: {
    info(message: string): void;
    warn(message: string): void;
    error(details: object, message: string): void;
  };
  addHook(name: 'onRequest', hook: (request: FastifyRequestLike) => Promise<void>): unknown;
  addHook(name: 'preClose', hook: () => Promise<void>): unknown;
  route(options: {
    readonly method: string | string[];
    readonly url: string;
    readonly schema?: object;
    readonly exposeHeadRoute: boolean;
    readonly compress: false;
    readonly onRequest: (request: FastifyRequestLike, reply: FastifyReplyLike, done: () => void) => void;
    readonly handler: () => Promise<void>;
  }): unknown;
}

export interface FastifyBeanInspectionOptions extends BeanInspectionOptions {
  /** Components by name, a function that returns them, or a source. */
  readonly source: Inspectable<FastifyRequestLike>;
}

/** Options of our host: the mount, the object that `observeReadings` finds it by, and the schemas of `/openapi.json` by address and method. */
interface HostOptions extends BeanInspectionOptions {
  readonly mount: Mount;
  readonly handle: object;
  readonly schemas: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** The beans of a source in a Fastify application: `await app.register(beanInspection, { source: { pricing, orders } })`. */
export async function beanInspection(
  app: FastifyInstanceLike,
  options: FastifyBeanInspectionOptions | HostOptions,
): Promise<void> {
  const { prefix } = parseOptions(options);
  const onReady = (message: string) => app.log.info(message);
  const onError = (error: unknown, message: string) => logError((err) => app.log.error({ err }, message), error);
  const log = (message: string) => app.log.warn(message);
  const [source, mounted] = 'mount' in options ? [{}, { mount: options.mount }] : [options.source, {}];
  const inspector = new Inspector<FastifyRequestLike>(
    source,
    { onReady, onError, ...options, prefix: app.prefix + prefix },
    { log, contextOf: (raw) => ({ raw, host: raw.headers.host ?? '' }), ...mounted },
  );
  inspector.exposeOn('handle' in options ? options.handle : app);
  // Other requests do not reach our routes.
  if (isDevelopment()) app.addHook('onRequest', async ({ raw }) => inspector.onFirstRequest(raw));
  app.addHook('preClose', async () => inspector.close());
  const route = (method: string | string[], url: string, schema?: object) =>
    app.route({
      method,
      url: prefix + url,
      ...(schema === undefined ? {} : { schema }),
      exposeHeadRoute: false,
      // Before Fastify reads the body, after the hooks of the application, which may authenticate.
      onRequest(request, reply) {
        const found = inspector.find(nodeRequest(request.raw, { host: request.host }), request);
        if (found === undefined) reply.callNotFound();
        else void inspector.send(found, reply.raw, (answer) => sendReply(reply, answer));
      },
      handler: async () => undefined,
      // @fastify/compress would buffer chunks.
      compress: false,
    });
  const segments = new Set(Object.values(routes).map(({ path }) => path.split(/[./]/, 1)[0]));
  for (const segment of [...segments, '@']) route([...app.supportedMethods], `/${segment}*`);
  if (!('schemas' in options)) return;
  for (const [url, methods] of Object.entries(options.schemas))
    for (const [method, schema] of Object.entries(methods)) route(method, url, schema);
}

/** Hooks of the application cannot replace these, since beans may hold anything. */
const ownHeaders = new Set(['content-security-policy', 'cache-control']);
const commonHeaders: Readonly<Record<string, string>> = answerHeaders;

/** Sends by Fastify, so that hooks run and headers they have set are kept. Event streams bypass it, since they never end. */
function sendReply(reply: FastifyReplyLike, answer: Answer): Awaitable<void> {
  const { status, reason, headers, body, isDocument, isTruncated } = answer;
  const { raw } = reply;
  const isKept = (name: string) =>
    headers[name] === commonHeaders[name] && !ownHeaders.has(name) && reply.hasHeader(name);
  if (headers['content-type'] === 'text/event-stream') {
    reply.hijack();
    const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !isKept(name)));
    return sendAnswer(raw, { ...answer, headers: sent });
  }
  if (reason !== undefined && raw.req.httpVersionMajor === 1) raw.statusMessage = reason;
  reply.code(status);
  for (const [name, value] of Object.entries(headers))
    if (name === 'vary') appendHeader(reply, name, value);
    else if (!isKept(name)) reply.header(name, value);
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body);
  const isChunked = !isWhole || isDocument === true;
  // With a trailer, Fastify sends even a short document in chunks, and without its length.
  if (isChunked && raw.req.httpVersion === '1.1' && headers['content-length'] === undefined) {
    reply.trailer(truncatedHeader, (_reply, _body, done) => done(null, String(isTruncated?.() ?? false)));
    // The trailer comes in a later turn, and each write to the socket is slow; the end of the response sends all.
    if (isWhole) raw.cork();
  }
  if (isWhole) reply.send(Buffer.from(body));
  else reply.send(Readable.from(raw.req.method === 'HEAD' ? [] : body, { objectMode: false }));
}

// As fastify-plugin sets them. We add the prefix ourselves, since links need it too.
Object.assign(beanInspection, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: '@jig/bean-inspection',
  [Symbol.for('plugin-meta')]: { name: '@jig/bean-inspection', fastify: '5.x' },
});
