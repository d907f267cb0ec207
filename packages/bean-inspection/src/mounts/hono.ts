import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Inspectable } from '../sources/plain.ts';
import { type BeanInspectionOptions, Inspector } from './inspector.ts';

export type { BeanInspectionOptions } from './inspector.ts';

/** What is used of the context of Hono. On Node its `env` is the request and the response of `node:http`. */
export interface HonoContext {
  readonly env: unknown;
}

/** A middleware, as Hono takes it. */
export type BeanInspectionMiddleware = (
  context: HonoContext,
  next: () => Promise<void>,
) => Promise<Response | undefined>;

/** The beans of a source in a Hono application on Node: `app.use(beanInspection({ pricing, orders }))`. */
export function beanInspection(
  source: Inspectable<HonoContext>,
  options: BeanInspectionOptions = {},
): BeanInspectionMiddleware {
  const inspector = new Inspector(source, options);
  return async (context, next) => {
    const { incoming, outgoing } = nodeBindings(context.env);
    const found = inspector.find(incoming, context);
    if (found === undefined) {
      await next();
      return undefined;
    }
    await inspector.answer(found, outgoing);
    return alreadySent();
  };
}

interface NodeBindings {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Without them there is no address of the client, which the access rules need. */
function nodeBindings(env: unknown): NodeBindings {
  if (typeof env === 'object' && env !== null && 'incoming' in env && 'outgoing' in env) return env as NodeBindings;
  throw new Error('Bean inspection in Hono needs Node: serve the application by @hono/node-server.');
}

/** What @hono/node-server takes as the sign that the response was sent past it. */
function alreadySent(): Response {
  const response = new Response(null, { headers: { 'x-hono-already-sent': 'true' } });
  // Once its body was asked for, @hono/node-server looks at the headers, also of the copy that Hono makes of it for HEAD.
  void response.body;
  return response;
}
