import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { MemorySessionStore } from './memory-session-store.ts';
import { RequestSession, type Session } from './session.ts';
import { SessionManager, type SessionManagerOptions } from './session-manager.ts';

/** The options of a manager, of which only the secret is required; or a manager, or a function that creates it in `onReady`. */
export type SessionPluginOptions =
  | ({ readonly manager?: undefined } & Pick<SessionManagerOptions, 'secret'> & Partial<SessionManagerOptions>)
  | { readonly manager: SessionManager | (() => SessionManager) };

const plugin: FastifyPluginAsync<SessionPluginOptions> = async (app, options) => {
  let manager: SessionManager;
  if (typeof options.manager === 'function') {
    const create = options.manager;
    app.addHook('onReady', async () => {
      manager = create();
    });
  } else manager = options.manager ?? createManager(app, options);
  app.decorateRequest('session');
  app.addHook('onRequest', (request, reply, next) => {
    (request as { session: Session } & FastifyRequest).session = new RequestSession(manager, request, reply);
    next();
  });
};

/** Gives each request its `session`. A request that does not use it costs one small object. */
export const sessionPlugin = Object.assign(plugin, {
  // As fastify-plugin sets them.
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: '@jig/sessions',
  [Symbol.for('plugin-meta')]: { name: '@jig/sessions', fastify: '5.x' },
});

function createManager(app: FastifyInstance, options: Extract<SessionPluginOptions, { readonly manager?: undefined }>) {
  const { store = memoryStore(app), storeName = options.store ? 'custom' : 'memory', log = app.log } = options;
  const manager = new SessionManager({ ...options, store, storeName, log });
  app.addHook('onClose', async () => manager.stop());
  return manager;
}

function memoryStore(app: FastifyInstance): MemorySessionStore {
  const store = new MemorySessionStore({ maximumSessions: 50_000, maximumBytes: 32 * 2 ** 20 });
  app.addHook('onReady', async () => store.start());
  app.addHook('onClose', async () => store.stop());
  return store;
}
