import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Inspectable } from '../sources/plain.ts';
import { type BeanInspectionOptions, Inspector } from './inspector.ts';
import { nodeRequest } from './node.ts';

export type { BeanInspectionOptions } from './inspector.ts';

/** What is used of the context of Koa. */
export interface KoaContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly originalUrl: string;
  /** Has a `body` after a body parser, whose types an application may not have. */
  readonly request?: object;
  respond?: boolean | undefined;
}

/** A middleware, as Koa takes it. */
export type BeanInspectionMiddleware = (context: KoaContext, next: () => Promise<unknown>) => Promise<unknown>;

/** The beans of a source in a Koa application: `app.use(beanInspection({ pricing, orders }))`. */
export function beanInspection(
  source: Inspectable<KoaContext>,
  options: BeanInspectionOptions = {},
): BeanInspectionMiddleware {
  const inspector = new Inspector(source, options, {
    contextOf: (req, res) => ({ req, res, originalUrl: req.url ?? '' }),
  });
  return inspector.exposeOn(async (context, next) => {
    const known = {
      originalUrl: context.originalUrl,
      parsedBody: () => (context.request as { readonly body?: unknown } | undefined)?.body,
    };
    const found = inspector.find(nodeRequest(context.req, known), context);
    if (found === undefined) return next();
    // Otherwise Koa would send a response of its own.
    context.respond = false;
    return inspector.send(found, context.res);
  });
}
