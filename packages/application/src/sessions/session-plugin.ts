import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import { fastifyPlugin } from '../commonjs-dependencies.ts';
import { RequestSession } from './request-session.ts';
import type { Session } from './session.ts';
import type { SessionLayer } from './session-layer.ts';

/** Gives each request its `session`. Until a handler asks for it, that costs one small object. */
export function sessionPlugin(layer: SessionLayer): FastifyPluginCallback {
  return fastifyPlugin(
    (app, _options, done) => {
      app.decorateRequest('session');
      app.addHook('onRequest', (request, reply, next) => {
        (request as { session: Session } & FastifyRequest).session = new RequestSession(layer, request, reply);
        next();
      });
      done();
    },
    { name: '@jig/sessions', fastify: '5.x' },
  );
}
