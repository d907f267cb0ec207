import type { FastifyPluginAsync } from 'fastify';
import { type BeanController, notFound } from '../bean-controller.ts';
import { browserPage, browserPolicy } from '../browser/browser-page.ts';
import { preferredForm } from './negotiate.ts';
import { sendDocument } from './send-document.ts';

const mediaTypes = { json: 'application/json', xml: 'application/xml' } as const;

/** A name ends where its form begins: `a.b.json` is the bean `a.b`. */
const nameAndForm = /^(?<name>.*)\.(?<form>json|xml)$/s;

/** `/jig/bean` and all below it. Who may look is asked in each handler, so that no spelling of an address goes past it. */
export const beanRoutes =
  (controller: BeanController): FastifyPluginAsync =>
  async (server) => {
    server.get<{ Params: { file: string } }>('/jig/bean/:file', async (request, reply) => {
      const { name, form } = nameAndForm.exec(request.params.file)?.groups ?? {};
      if (name === undefined || (form !== 'json' && form !== 'xml')) {
        controller.check(request, 'json');
        throw notFound('json');
      }
      await sendDocument(reply, await controller.bean(name, form, request), mediaTypes[form]);
      return reply;
    });

    for (const form of ['json', 'xml'] as const) {
      server.get(`/jig/bean.${form}`, async (request, reply) => {
        await sendDocument(reply, controller.indexDocument(request, form), mediaTypes[form]);
        return reply;
      });
    }

    server.get('/jig/bean', async (request, reply) => {
      reply.header('vary', 'Accept');
      const form = preferredForm(request.headers.accept);
      if (form === 'html') {
        const page = controller.mask(browserPage(controller.index(request, 'html')));
        reply.headers({ 'content-security-policy': browserPolicy, 'cache-control': 'no-store' });
        return reply.type('text/html; charset=utf-8').send(page);
      }
      await sendDocument(reply, controller.indexDocument(request, form), mediaTypes[form]);
      return reply;
    });
  };
