import { types } from 'node:util';
import { type BeanSource as HostBeans, Problem } from '@jig/application';
import { appendHeader, hasJigCode } from '@jig/application/internal';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { BeanController } from '../bean-controller.ts';
import type { BeanSource, BeanValue } from '../bean-source.ts';
import { browserPolicy } from '../browser-page.ts';
import { BeanProblem } from '../problem.ts';
import type { InspectionRequest } from '../request-origin.ts';
import { sendReply } from './send-reply.ts';

/** The beans of the host, as bean inspection sees them. */
export function hostBeanSource(beans: HostBeans): BeanSource<FastifyRequest> {
  /** A bean that is still a promise is not there yet. */
  const peek = (name: string): BeanValue | undefined => {
    const value = beans.peek(name);
    return value === undefined || types.isPromise(value) ? undefined : { value };
  };
  return {
    describe: () => beans.names().flatMap((name) => beans.describe(name) ?? []),
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
  host: request.host,
  context: request,
});

/** `/jig/bean` and all below it. Each handler checks the access, so that no spelling of an address goes past it. */
export const beanRoutes =
  (controller: BeanController<FastifyRequest>): FastifyPluginAsync =>
  async (server) => {
    server.get<{ Params: { file: string } }>('/jig/bean/:file', (request, reply) =>
      respond(reply, async () =>
        sendReply(reply, await controller.bean(request.params.file, inspectionRequest(request))),
      ),
    );

    for (const form of ['json', 'xml'] as const) {
      server.get(`/jig/bean.${form}`, (request, reply) =>
        respond(reply, async () => sendReply(reply, controller.index(form, inspectionRequest(request)))),
      );
    }

    server.get('/jig/bean', (_request, reply) => respond(reply, () => sendIndex(controller, reply)));
  };

async function sendIndex(controller: BeanController<FastifyRequest>, reply: FastifyReply): Promise<void> {
  const request = inspectionRequest(reply.request);
  appendHeader(reply, 'vary', 'Accept');
  const form = controller.preferredForm(request);
  if (form !== 'html') return sendReply(reply, controller.index(form, request));
  const page = controller.indexPage(request);
  reply.headers({ 'content-security-policy': browserPolicy, 'cache-control': 'no-store' });
  reply.type('text/html; charset=utf-8').send(page);
}

/** Translates problems into those of the host, which writes them; an error with a code has a status there already. */
async function respond(reply: FastifyReply, send: () => Promise<void>): Promise<FastifyReply> {
  try {
    await send();
  } catch (error) {
    if (!(error instanceof BeanProblem)) throw error;
    const { status, title, message: detail, form, headers, reason, cause } = error;
    if (hasJigCode(cause)) throw cause;
    if (status === 503) reply.log.warn({ err: cause }, 'a bean could not be made to be inspected');
    throw new Problem(status, { title, detail, form, headers, ...(reason === undefined ? {} : { reason }), cause });
  }
  return reply;
}
