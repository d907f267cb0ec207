import { Problem } from '@jig/application';
import { appendHeader, preferredMediaType } from '@jig/application/internal';
import type { FastifyPluginAsync } from 'fastify';
import { type BeanController, notFound } from '../bean-controller.ts';
import { browserPage, browserPolicy } from '../browser/browser-page.ts';
import { sendDocument } from './send-document.ts';

const mediaTypes = { json: 'application/json', xml: 'application/xml' } as const;

/** The media types by which the list of beans can be asked for, the one for those without a wish first. */
const indexForms = {
  'application/json': 'json',
  'application/xml': 'xml',
  'text/html': 'html',
  'text/xml': 'xml',
} as const;
const indexTypes = Object.keys(indexForms) as (keyof typeof indexForms)[];

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
      appendHeader(reply, 'vary', 'Accept');
      const type = preferredMediaType(request.headers.accept, indexTypes);
      if (type === undefined) {
        controller.check(request, 'json');
        throw new Problem(406, { detail: `The list of beans comes as ${indexTypes.join(', ')}.`, form: 'json' });
      }
      const form = indexForms[type];
      if (form === 'html') {
        const page = controller.mask(browserPage(controller.index(request, 'html')));
        reply.headers({ 'content-security-policy': browserPolicy, 'cache-control': 'no-store' });
        return reply.type('text/html; charset=utf-8').send(page);
      }
      await sendDocument(reply, controller.indexDocument(request, form), mediaTypes[form]);
      return reply;
    });
  };
