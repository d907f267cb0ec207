import { types } from 'node:util';
import { type BeanSource as HostBeans, Problem } from '@jig/application';
import { appendHeader, hasJigCode } from '@jig/application/internal';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { type BeanAddress, isNegotiated } from '../address.ts';
import { answer } from '../answer.ts';
import type { BeanController } from '../bean-controller.ts';
import type { BeanDescription, BeanSource, BeanValue } from '../bean-source.ts';
import { browserPolicy } from '../browser-page.ts';
import { BeanProblem } from '../problem.ts';
import type { InspectionRequest } from '../request-origin.ts';
import { sendReply } from './send-reply.ts';

/** The beans of the host, as bean inspection sees them. */
export function hostBeanSource(beans: HostBeans): BeanSource<FastifyRequest> {
  /** A bean that is still a promise is not there yet. */
  const peek = (name: string): BeanValue | undefined => {
    const value = beans.peek(name);
    if (types.isPromise(value)) return undefined;
    return value === undefined && beans.describe(name)?.instantiated !== true ? undefined : { value };
  };
  const describe = (name: string): readonly BeanDescription[] => {
    const description = beans.describe(name);
    if (description === undefined) return [];
    return [types.isPromise(beans.peek(name)) ? { ...description, instantiated: 'unknown' } : description];
  };
  return {
    describe: () => beans.names().flatMap(describe),
    has: (name) => beans.describe(name) !== undefined,
    peek,
    async get(name, request) {
      const coming = beans.get(name, request);
      // The promise of a singleton would ask it for `then`, which may be a trap; so it is not awaited.
      const created = peek(name);
      if (created === undefined) return { value: await coming };
      coming.catch(() => undefined);
      return created;
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

/** `/jig/bean` and all below it. Each handler checks the access, so that no spelling of an address goes past it. */
export const beanRoutes =
  (controller: BeanController<FastifyRequest>): FastifyPluginAsync =>
  async (server) => {
    server.get<{ Params: { file: string } }>('/jig/bean/:file', ({ params: { file } }, reply) =>
      respond(reply, controller, { kind: 'bean', file, form: undefined }),
    );
    for (const form of ['json', 'xml'] as const) {
      server.get(`/jig/bean.${form}`, (_request, reply) => respond(reply, controller, { kind: 'list', form }));
    }
    server.get('/jig/bean', (_request, reply) => respond(reply, controller, { kind: 'list', form: undefined }));
  };

/** Sends the answer by Fastify. Problems become those of the host, which writes them; an error with a code has a status there already. */
async function respond(
  reply: FastifyReply,
  controller: BeanController<FastifyRequest>,
  address: BeanAddress,
): Promise<FastifyReply> {
  try {
    if (isNegotiated(address)) appendHeader(reply, 'vary', 'Accept');
    const given = await answer(controller, address, inspectionRequest(reply.request));
    if ('page' in given) sendPage(reply, given.page);
    else await sendReply(reply, given);
  } catch (error) {
    if (!(error instanceof BeanProblem)) throw error;
    const { status, title, message: detail, form, headers, reason, cause } = error;
    if (hasJigCode(cause)) throw cause;
    if (status === 503) reply.log.warn({ err: cause }, 'a bean could not be made to be inspected');
    throw new Problem(status, { title, detail, form, headers, ...(reason === undefined ? {} : { reason }), cause });
  }
  return reply;
}

function sendPage(reply: FastifyReply, page: string): void {
  reply.headers({ 'content-security-policy': browserPolicy, 'cache-control': 'no-store' });
  reply.type('text/html; charset=utf-8').send(page);
}
