import type { IncomingMessage } from 'node:http';
import type { BeanController } from '../beans/bean-controller.ts';
import { parsePrefix } from '../http/address.ts';
import { isDevelopment } from '../http/first-request.ts';
import { NodeRequest } from '../http/node-request.ts';
import { logError } from '../http/report-error.ts';
import { resourceNames } from '../http/resource-names.ts';
import type { Inspectable } from '../sources/plain.ts';
import { type BeanInspectionOptions, Inspector } from './inspector.ts';
import { type FastifyReplyLike, ReplySender } from './reply-sender.ts';

export type { BeanInspectionOptions } from './inspector.ts';

/** What is used of a request of Fastify. */
export interface FastifyRequestLike {
  readonly raw: IncomingMessage;
  /** As a proxy says it that is trusted by `trustProxy`. */
  readonly host: string;
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
  /** The beans: components by name, a function that gives them, or a source. */
  readonly source: Inspectable<FastifyRequestLike>;
}

/** What our host gives: the controller, which is a bean there, and what `/openapi.json` says of addresses below the prefix, by method. */
interface HostOptions extends BeanInspectionOptions {
  readonly controller: BeanController<FastifyRequestLike>;
  readonly schemas: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** The beans of a source in a Fastify application: `await app.register(beanInspection, { source: { pricing, orders } })`. */
export async function beanInspection(
  app: FastifyInstanceLike,
  options: FastifyBeanInspectionOptions | HostOptions,
): Promise<void> {
  const prefix = parsePrefix(options.prefix);
  const onReady = (message: string) => app.log.info(message);
  const onError = (error: unknown, message: string) => logError((err) => app.log.error({ err }, message), error);
  const log = (message: string) => app.log.warn(message);
  const [source, made] = 'controller' in options ? [{}, { controller: options.controller }] : [options.source, {}];
  const inspector = new Inspector<FastifyRequestLike>(
    source,
    { onReady, onError, ...options, prefix: app.prefix + prefix },
    { log, contextOf: (raw) => ({ raw, host: raw.headers.host ?? '' }), ...made },
  );
  inspector.standsBehind(app);
  // Requests for other routes do not come here otherwise.
  if (isDevelopment()) app.addHook('onRequest', async ({ raw }) => inspector.tellAddress(raw));
  app.addHook('preClose', async () => inspector.close());
  const route = (method: string | string[], url: string, schema?: object) =>
    app.route({
      method,
      url: prefix + url,
      ...(schema === undefined ? {} : { schema }),
      exposeHeadRoute: false,
      // Before Fastify reads a body, and after the hooks of the application, which may ask who this is.
      onRequest(request, reply) {
        const found = inspector.find(new NodeRequest(request.raw, { host: request.host }), request);
        if (found === undefined) reply.callNotFound();
        else void inspector.answer(found, new ReplySender(reply));
      },
      handler: async () => undefined,
      // For @fastify/compress, which would hold on to chunks.
      compress: false,
    });
  for (const { name } of Object.values(resourceNames)) route([...app.supportedMethods], `/${name}*`);
  if (!('schemas' in options)) return;
  for (const [url, methods] of Object.entries(options.schemas))
    for (const [method, schema] of Object.entries(methods)) route(method, url, schema);
}

// As fastify-plugin would set them: the prefix is ours to apply, since links need it too.
Object.assign(beanInspection, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: '@jig/bean-inspection',
  [Symbol.for('plugin-meta')]: { name: '@jig/bean-inspection', fastify: '5.x' },
});
