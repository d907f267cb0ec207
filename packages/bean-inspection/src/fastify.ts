import type { IncomingMessage, ServerResponse } from 'node:http';
import { parsePrefix } from './address.ts';
import { isDevelopment } from './first-request.ts';
import { type BeanInspectionOptions, Inspector } from './handler.ts';
import { logError } from './report-error.ts';
import { resources } from './resources.ts';
import type { Inspectable } from './sources/plain.ts';

export type { BeanInspectionOptions } from './handler.ts';

/** What is used of a request of Fastify. */
export interface FastifyRequestLike {
  readonly raw: IncomingMessage;
}

interface FastifyReplyLike {
  readonly raw: ServerResponse;
  getHeaders(): Readonly<Record<string, number | string | string[] | undefined>>;
  hijack(): unknown;
  callNotFound(): unknown;
}

/** What is used of an instance of Fastify. */
export interface FastifyInstanceLike {
  readonly prefix: string;
  readonly supportedMethods: readonly string[];
  readonly log: { info(message: string): void; error(details: object, message: string): void };
  addHook(name: 'onRequest', hook: (request: FastifyRequestLike) => Promise<void>): unknown;
  addHook(name: 'preClose', hook: () => Promise<void>): unknown;
  route(options: {
    readonly method: string[];
    readonly url: string;
    readonly onRequest: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<void>;
    readonly handler: () => Promise<void>;
  }): unknown;
}

export interface FastifyBeanInspectionOptions extends BeanInspectionOptions {
  /** The beans: components by name, a function that gives them, or a source. */
  readonly source: Inspectable<FastifyRequestLike>;
}

/** The beans of a source in a Fastify application: `await app.register(beanInspection, { source: { pricing, orders } })`. */
export async function beanInspection(app: FastifyInstanceLike, options: FastifyBeanInspectionOptions): Promise<void> {
  const prefix = parsePrefix(options.prefix);
  const onReady = (message: string) => app.log.info(message);
  const onError = (error: unknown, message: string) => logError((err) => app.log.error({ err }, message), error);
  const inspector = new Inspector(options.source, { onReady, onError, ...options, prefix: app.prefix + prefix });
  // Requests for other routes do not come here otherwise.
  if (isDevelopment()) app.addHook('onRequest', async ({ raw }) => inspector.announce(raw));
  app.addHook('preClose', async () => inspector.close());
  for (const { name } of resources)
    app.route({
      method: [...app.supportedMethods],
      url: `${prefix}/${name}*`,
      // Before Fastify reads a body, and after the hooks of the application, which may ask who this is.
      async onRequest(request, reply) {
        const found = inspector.find(request.raw, request);
        if (found === undefined) {
          reply.callNotFound();
          return;
        }
        for (const [name, value] of Object.entries(reply.getHeaders()))
          if (value !== undefined) reply.raw.setHeader(name, value);
        reply.hijack();
        await inspector.answer(found, reply.raw);
      },
      handler: async () => undefined,
    });
}

// As fastify-plugin would set them: the prefix is ours to apply, since links need it too.
Object.assign(beanInspection, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: '@jig/bean-inspection',
  [Symbol.for('plugin-meta')]: { name: '@jig/bean-inspection', fastify: '5.x' },
});
