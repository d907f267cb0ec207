import { contentSecurityPolicy, Problem, type Routes } from '@jig/application';
import { appendHeader, isCrossSite, preferredEncoding } from '@jig/http';
import type { onRequestHookHandler } from 'fastify';
import { addFormParser } from './form-body.ts';
import { formSchema, pageSchema, textsSchema } from './schemas.ts';
import { requestSelection } from './selection.ts';

export const clockPath = '/clock/time';

/** The largest form, in bytes. */
const formLimit = 16_384;

/** The texts that an open page updates. */
const textsPath = '/clock/time.json';

type ClockBean = 'clockPages' | 'locales' | 'zones';

/** `GET` shows the clock. `POST` stores the form in the session and redirects to `GET`. */
export function clockRoutes(script: string): Routes<ClockBean> {
  const pageHeaders = headersOfPage(script);

  return async (server, beans) => {
    addFormParser(server);

    server.get(clockPath, { schema: pageSchema }, async (request, reply) => {
      const encoding = preferredEncoding(request.headers['accept-encoding'], ['gzip']);
      if (encoding === undefined) throw new Problem(406);
      const selection = await requestSelection(request, beans.locales, beans.zones);
      const { body, instant } = await beans.clockPages.page(selection, encoding);
      reply.headers(pageHeaders);
      appendHeader(reply, 'vary', 'Cookie, Accept-Language, Accept-Encoding');
      // The exact time, by which the script sets its clock.
      appendHeader(reply, 'server-timing', `now;desc="${instant}"`);
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      return reply.send(body);
    });

    server.get(textsPath, { schema: textsSchema }, async (request, reply) => {
      const selection = await requestSelection(request, beans.locales, beans.zones);
      appendHeader(reply, 'vary', 'Cookie, Accept-Language');
      // As a buffer, since Fastify adds a charset to strings.
      return reply
        .headers(headersOfTexts)
        .send(Buffer.from(JSON.stringify(beans.clockPages.answer(selection, Date.now()))));
    });

    server.post<{ Body: ReadonlyMap<string, string> | undefined }>(
      clockPath,
      // In onRequest, before the body is read.
      { schema: formSchema, onRequest: rejectCrossSite, bodyLimit: formLimit },
      async (request, reply) => {
        if (request.body) await request.session.set(request.body);
        return reply.headers(headersOfRedirect).redirect(clockPath);
      },
    );
  };
}

const headersOfPage = (script: string) => ({
  'content-security-policy': contentSecurityPolicy({ inlineScripts: [script] }),
  'content-type': 'text/html; charset=utf-8',
  // It depends on the visitor and is outdated after a second.
  'cache-control': 'private, no-cache',
});

const headersOfTexts = { 'content-type': 'application/json', 'cache-control': 'private, no-store' };

const headersOfRedirect = { 'cache-control': 'no-store' };

/** Rejects forms that other sites send (CSRF). */
const rejectCrossSite: onRequestHookHandler = (request, _reply, done) => {
  if (isCrossSite(request)) done(crossSite());
  else done();
};

/** Closes the connection, because the body is not read. */
const crossSite = () =>
  new Problem(403, {
    detail: 'This form can only be sent from the page itself.',
    headers: { connection: 'close' },
  });
