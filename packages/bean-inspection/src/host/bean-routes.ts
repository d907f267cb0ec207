import { types } from 'node:util';
import { type BeanSource as HostBeans, Problem } from '@jig/application';
import { hasJigCode, securityHeadersFor } from '@jig/application/internal';
import { appendHeader } from '@jig/http';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { type Address, entryAddress, withoutOrigin } from '../address.ts';
import { answer, isNegotiated } from '../answer.ts';
import type { BeanController } from '../bean-controller.ts';
import type { BeanDescription, BeanSource, BeanValue } from '../bean-source.ts';
import type { InspectionRequest } from '../inspection-request.ts';
import type { EventStream } from '../live/event-stream.ts';
import { isBeanProblem } from '../problem.ts';
import { logError } from '../report-error.ts';
import type { Method } from '../resource.ts';
import { addressParser, resources } from '../resources.ts';
import { streamHeaders, type WholeAnswer, wholeAnswer } from '../send-answer.ts';
import { peekValue, settleValue } from '../sources/bean-values.ts';
import type { ApiDescription } from './api-description.ts';
import { sendReply } from './send-reply.ts';

/** The beans of the host, as bean inspection sees them. */
export function hostBeanSource(beans: HostBeans): BeanSource<FastifyRequest> {
  const peek = (name: string): BeanValue | undefined => {
    const value = beans.peek(name);
    return value === undefined && beans.describe(name)?.instantiated !== true ? undefined : peekValue(value);
  };
  const describe = (name: string): readonly BeanDescription[] => {
    const description = beans.describe(name);
    if (description === undefined) return [];
    const isUnknown = types.isPromise(beans.peek(name)) && peek(name) === undefined;
    return [isUnknown ? { ...description, instantiated: 'unknown' } : description];
  };
  return {
    describe: () => beans.names().flatMap(describe),
    has: (name) => beans.describe(name) !== undefined,
    peek,
    async get(name, request) {
      const coming = beans.get(name, request);
      const kept = beans.peek(name);
      if (kept === undefined && peek(name) === undefined) return { value: await coming };
      // The promise of a singleton would ask it for `then`, which may be a trap; so it is not awaited.
      coming.catch(() => undefined);
      return settleValue(kept);
    },
  };
}

const inspectionRequest = (request: FastifyRequest): InspectionRequest<FastifyRequest> => ({
  raw: request.raw,
  url: request.originalUrl,
  prefix: '/jig',
  host: request.host,
  context: request,
});

/** All resources. Each handler checks the access, so that no spelling of an address goes past it. */
export const beanRoutes =
  (controller: BeanController<FastifyRequest>, api: ApiDescription): FastifyPluginAsync =>
  async (server) => {
    server.addHook('preClose', async () => controller.streams.close());
    // A body is read after the access was checked, and by the resource itself.
    server.removeAllContentTypeParsers();
    server.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const respondAt: AddressResponder = async (request, reply) => {
      const address = addressParser.parse('/jig', withoutOrigin(request.originalUrl));
      if (address === undefined) throw new Problem(404);
      return respond(reply, controller, address);
    };
    // So is its content type judged, which Fastify minds even for a method that an address does not take.
    server.setErrorHandler((error: { readonly code?: unknown } | null, request, reply) => {
      if (/^FST_ERR_(?:CTP|ROUTE_MISSING_CONTENT_TYPE)/.test(String(error?.code))) return respondAt(request, reply);
      throw error;
    });
    for (const resource of resources) {
      const { name, extensions, hasEntries } = resource;
      const route = (url: string, methods: readonly Method[], address: (request: FastifyRequest) => Address) => {
        const handler = (request: FastifyRequest, reply: FastifyReply) => respond(reply, controller, address(request));
        // One by one: each has a description of its own, and Fastify would give the hook by which it answers HEAD to all.
        for (const method of methods) {
          const schema = api[url.replace(':name', '{name}')]?.[method.toLowerCase()];
          server.route({ method, url, ...(schema === undefined ? {} : { schema }), handler });
        }
      };
      for (const extension of [undefined, ...extensions]) {
        const address = { kind: 'whole', name, extension, entry: '' } as const;
        const methods = resource.methodsAt?.(address, controller) ?? resource.methods;
        route(extension === undefined ? `/jig/${name}` : `/jig/${name}.${extension}`, methods, () => address);
      }
      if (hasEntries) {
        route(`/jig/${name}/:name`, resource.methods, ({ params }) =>
          entryAddress(name, (params as { name: string }).name),
        );
        // The same once more, since a route has one description.
        for (const extension of ['json', 'xml'])
          route(`/jig/${name}/:name.${extension}`, ['GET'], ({ params }) =>
            entryAddress(name, `${(params as { name: string }).name}.${extension}`),
          );
      }
      if (resource.methodsAt !== undefined) await server.register(otherMethods(respondAt), { prefix: `/jig/${name}` });
    }
  };

/** Where not all addresses of a resource take the same methods, the host, which knows routes only, cannot tell which are allowed. */
const otherMethods =
  (respondAt: AddressResponder): FastifyPluginAsync =>
  async (server) =>
    void server.setNotFoundHandler(respondAt);

type AddressResponder = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Sends the answer by Fastify. Problems become those of the host, which writes them; an error with a code has a status there already. */
async function respond(
  reply: FastifyReply,
  controller: BeanController<FastifyRequest>,
  address: Address,
): Promise<FastifyReply> {
  try {
    if (isNegotiated(address)) appendHeader(reply, 'vary', 'Accept');
    const given = await answer(controller, address, inspectionRequest(reply.request));
    if ('inspection' in given) await sendReply(reply, given);
    else if ('stream' in given) sendStream(reply, given.stream);
    else sendWhole(reply, wholeAnswer(given));
  } catch (error) {
    if (!isBeanProblem(error)) throw error;
    const { status, title, message: detail, form, headers, reason, cause } = error;
    if (hasJigCode(cause)) throw cause;
    if (status === 503) logError((err) => reply.log.warn({ err }, 'a bean could not be made to be inspected'), cause);
    throw new Problem(status, { title, detail, form, headers, ...(reason === undefined ? {} : { reason }), cause });
  }
  return reply;
}

function sendWhole(reply: FastifyReply, { status, headers, body }: WholeAnswer): void {
  reply
    .code(status)
    .headers({ 'cache-control': 'no-store', ...headers })
    .send(body);
}

/** Past Fastify, since a stream of its own would be ended by no one when the application closes. */
function sendStream(reply: FastifyReply, stream: EventStream): void {
  const { raw, request } = reply;
  reply.hijack();
  const headers = { ...securityHeadersFor(request), ...reply.getHeaders(), ...streamHeaders };
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) raw.setHeader(name, value);
  // When the server closes, a connection that is kept alive would keep it waiting.
  raw.shouldKeepAlive = false;
  raw.writeHead(200).flushHeaders();
  if (request.method === 'HEAD') raw.end();
  else stream.start(raw);
}
