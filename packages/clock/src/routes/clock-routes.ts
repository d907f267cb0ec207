import type { BeanSource } from '@jig/application';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Locales } from '../locales/locales.ts';
import type { ClockPages } from '../page/clock-pages.ts';
import { pageEncoding } from '../page/page-encoding.ts';
import { requestSelection, selectionWithoutSession } from '../selection/request-selection.ts';
import type { Selection } from '../selection/selection.ts';
import type { Zones } from '../zones/zones.ts';
import { takeForms } from './form-body.ts';
import { refuseOtherSites } from './other-sites.ts';
import { PageSender } from './page-sender.ts';

export const clockPath = '/clock/time';

/** `GET` shows the clock, `POST` stores what the form says and sends the browser back to `GET`. */
export function clockRoutes(beans: BeanSource, script: string): FastifyPluginAsync {
  const sender = new PageSender(script);
  const respond = (request: FastifyRequest, reply: FastifyReply, parts: ClockParts, selection: Selection) => {
    const instant = Date.now();
    const page = parts.pages.page(selection, pageEncoding(request.headers['accept-encoding']), instant);
    return page instanceof Promise
      ? page.then((made) => sender.send(reply, made, instant))
      : sender.send(reply, page, instant);
  };
  // The beans are not made before somebody looks at the clock, so that the application starts sooner.
  let parts: ClockParts | undefined;

  return async (server) => {
    takeForms(server);

    server.get(clockPath, (request, reply) => {
      // A request that can have no session needs nothing that has to be waited for, and is answered at once.
      if (parts && request.headers.cookie === undefined) {
        return respond(request, reply, parts, selectionWithoutSession(request, parts.locales, parts.zones));
      }
      return (async () => {
        parts ??= await clockParts(beans);
        return respond(request, reply, parts, await requestSelection(request, parts.locales, parts.zones));
      })();
    });

    server.post<{ Body: ReadonlyMap<string, string> | undefined }>(clockPath, async (request, reply) => {
      refuseOtherSites(request);
      if (request.body) await request.session.store(request.body);
      return reply.code(302).headers({ location: clockPath, 'cache-control': 'no-store' }).send();
    });
  };
}

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
