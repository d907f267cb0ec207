import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Inspectable } from '../sources/plain.ts';
import { type FetchPeer, nodePeer, respond, toRequest } from './fetch.ts';
import { type BeanInspectionOptions, Inspector } from './inspector.ts';

export type { BeanInspectionOptions } from './inspector.ts';

/** What is used of the context of Hono. */
export interface HonoContext {
  readonly req: { readonly raw: Request };
  readonly env: unknown;
}

/** A middleware, as Hono takes it. */
export type BeanInspectionMiddleware = (
  context: HonoContext,
  next: () => Promise<void>,
) => Promise<Response | undefined>;

/** The beans of a source in a Hono application: `app.use(beanInspection({ pricing, orders }))`. */
export function beanInspection(
  source: Inspectable<HonoContext>,
  options: BeanInspectionOptions = {},
): BeanInspectionMiddleware {
  const inspector = new Inspector(source, options, {
    contextOf: (incoming, outgoing) => ({ req: { raw: toRequest(incoming) }, env: { incoming, outgoing } }),
  });
  return inspector.exposeOn(async (context, next) => {
    const response = await respond(inspector, context.req.raw, peerOf(context), context);
    if (response === undefined) await next();
    return response;
  });
}

/** What the servers under Hono pass with a request, from which `getConnInfo` reads the client. */
interface Bindings {
  readonly server?: Bindings;
  /** Of @hono/node-server. */
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
  /** Of Bun. */
  requestIP?(request: Request): { readonly address: string } | null;
  /** Of Deno. */
  readonly remoteAddr?: { readonly hostname?: string };
}

function peerOf({ env, req }: HonoContext): FetchPeer {
  const given = (env ?? {}) as Bindings;
  const server = given.server ?? given;
  if (server.incoming !== undefined && server.outgoing !== undefined) return nodePeer(server.incoming, server.outgoing);
  return { remoteAddress: server.requestIP?.(req.raw)?.address ?? server.remoteAddr?.hostname };
}
