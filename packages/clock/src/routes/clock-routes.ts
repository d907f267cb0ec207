import { type BeanSource, contentSecurityPolicy, Problem } from '@jig/application';
import { isCrossSite, minimalCsp, PreparedResponse } from '@jig/application/internal';
import { mapAwaitable } from '@jig/sessions/internal';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Locales } from '../locales/locales.ts';
import type { ClockPages } from '../page/clock-pages.ts';
import { pageEncoding } from '../page/encoded-page.ts';
import { requestSelection } from '../selection.ts';
import type { Zones } from '../zones/zones.ts';
import { addFormParser } from './form-body.ts';

export const clockPath = '/clock/time';

/** `GET` shows the clock. `POST` stores the form in the session and redirects to `GET`. */
export function clockRoutes(beans: BeanSource, script: string): FastifyPluginAsync {
  const page = pageResponse(script);
  // The beans are created by the first request, so that the application starts sooner.
  let parts: ClockParts | undefined;

  const show = (request: FastifyRequest, reply: FastifyReply, { locales, zones, pages: made }: ClockParts) =>
    mapAwaitable(requestSelection(request, locales, zones), (selection) => {
      const instant = Date.now();
      const content = made.page(selection, pageEncoding(request.headers['accept-encoding']), instant);
      return mapAwaitable(content, ({ parts, encoding }) => {
        // The page has the second only; its script ticks with the server's clock.
        const more = ['server-timing', `now;desc="${instant}"`];
        if (encoding !== 'identity') more.push('content-encoding', encoding);
        return page.send(reply, parts, more);
      });
    });

  return async (server) => {
    addFormParser(server);

    server.get(clockPath, (request, reply) => {
      if (parts !== undefined) return show(request, reply, parts);
      return clockParts(beans).then((made) => {
        parts = made;
        return show(request, reply, made);
      });
    });

    server.post<{ Body: ReadonlyMap<string, string> | undefined }>(
      clockPath,
      // Before the body is read, which a cross-site request need not even send.
      { onRequest: rejectCrossSite },
      (request, reply) =>
        mapAwaitable(request.body && request.session.store(request.body), () => redirect.send(reply, [])),
    );
  };
}

/** The page with the headers that are the same each time. */
const pageResponse = (script: string) =>
  new PreparedResponse(200, {
    'content-security-policy': contentSecurityPolicy({ inlineScripts: [script] }),
    'content-type': 'text/html; charset=utf-8',
    // It depends on the visitor, and is outdated after a second.
    'cache-control': 'private, no-cache',
    vary: 'Cookie, Accept-Language, Accept-Encoding',
  });

/** Sends the browser back to the page. */
const redirect = new PreparedResponse(302, {
  'content-security-policy': minimalCsp,
  'cache-control': 'no-store',
  location: clockPath,
});

interface ClockParts {
  readonly locales: Locales;
  readonly zones: Zones;
  readonly pages: ClockPages;
}

async function clockParts(beans: BeanSource): Promise<ClockParts> {
  return {
    locales: (await beans.get('locales')) as Locales,
    zones: (await beans.get('zones')) as Zones,
    pages: (await beans.get('clockPages')) as ClockPages,
  };
}

/** Another site must not choose for its visitors. */
const rejectCrossSite: onRequestHookHandler = (request, _reply, done) => {
  if (isCrossSite(request)) done(crossSite());
  else done();
};

/** Closes the connection, because the body is left unread. */
const crossSite = () =>
  new Problem(403, {
    detail: 'This form can only be sent from the page itself.',
    headers: { connection: 'close' },
  });
