import { bySymbol, can, functionNames, has, isNamed, nameOf } from './shape.ts';
import { setting, type View } from './view.ts';

interface Layer {
  readonly name?: string;
  readonly handle?: unknown;
  readonly slash?: boolean;
  readonly regexp?: RegExp & { readonly fast_slash?: boolean };
  readonly route?: { readonly path: unknown; readonly methods: object; readonly stack: readonly Layer[] };
}

interface ExpressRouter {
  readonly stack: readonly Layer[];
}

/** The path of a mounted router is known where it is `/`, and in Express 4; in Express 5 it is not kept. */
function mountPath({ slash, regexp }: Layer): string {
  if (slash === true || regexp?.fast_slash === true) return '';
  const source = regexp?.source.replace(/^\^/, '').replace(/\\\/\?\(\?=\\\/\|\$\)$/, '');
  return source === undefined ? '…' : source.replaceAll('\\/', '/');
}

function expressRoutes({ stack }: ExpressRouter, prefix = ''): object[] {
  return stack.flatMap((layer) => {
    const { route, handle } = layer;
    if (route !== undefined) {
      const method = Object.keys(route.methods).join(', ').toUpperCase().replace('_ALL', 'ALL');
      const handlers = functionNames(route.stack.map((each) => each.handle));
      return [{ method, path: prefix + String(route.path), handlers }];
    }
    return isExpressRouter(handle) ? expressRoutes(handle, prefix + mountPath(layer)) : [];
  });
}

const isExpressRouter = (value: unknown): value is ExpressRouter =>
  typeof value === 'function' && can(value, 'use', 'route', 'param') && has(value, 'stack');

const middleware = ({ stack }: ExpressRouter) =>
  functionNames(stack.filter(({ route }) => route === undefined).map(({ handle }) => handle));

interface ExpressApp {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly router?: ExpressRouter;
  readonly _router?: ExpressRouter;
}

/** Express 4 keeps its router in `_router`, and its `router` throws. */
const routerOf = (app: ExpressApp): ExpressRouter => ('_router' in app ? app._router : app.router) ?? { stack: [] };

export const expressApp: View<ExpressApp> = {
  name: 'express.Application',
  matches: (value): value is ExpressApp =>
    typeof value === 'function' && can(value, 'engine', 'lazyrouter', 'use') ? true : isExpress5(value),
  readings: {
    routes: { read: (app) => expressRoutes(routerOf(app)) },
    middleware: { read: (app) => middleware(routerOf(app)) },
    trustProxy: setting(({ settings }) => settings['trust proxy']),
    environment: setting(({ settings }) => settings.env),
  },
};

function isExpress5(value: object): value is ExpressApp {
  return typeof value === 'function' && can(value, 'engine', 'use', 'enabled') && has(value, 'settings', 'mountpath');
}

export const expressRouter: View<ExpressRouter> = {
  name: 'express.Router',
  matches: (value): value is ExpressRouter => isExpressRouter(value),
  readings: { routes: { read: (router) => expressRoutes(router) }, middleware: { read: middleware } },
};

interface Fastify {
  printRoutes(options: object): string;
  readonly listeningOrigin?: string;
  readonly server: { readonly listening: boolean };
}

/** Fastify has no other way to tell its routes; each stands on a line of its own, whole. */
function fastifyRoutes(fastify: Fastify): object[] {
  const lines = fastify.printRoutes({ commonPrefix: false }).split('\n');
  return lines.flatMap((line) => {
    const route = line.replace(/^[│├└─┬\s]*/, '');
    const split = route.lastIndexOf(' (');
    return split > 0 ? [{ method: route.slice(split + 2, -1), path: route.slice(0, split) }] : [];
  });
}

export const fastify: View<Fastify> = {
  name: 'fastify.FastifyInstance',
  matches: (value): value is Fastify => can(value, 'printRoutes', 'decorate', 'register', 'inject'),
  readings: {
    routes: { read: fastifyRoutes },
    state: { read: ({ server }) => (server.listening ? 'listening' : 'not listening') },
    plugins: {
      read: (value) => (bySymbol(value, 'registered-plugin') as readonly string[] | undefined)?.join(', ') || undefined,
    },
  },
};

interface KoaLayer {
  readonly methods: readonly string[];
  readonly path: unknown;
  readonly stack: readonly unknown[];
}

interface Koa {
  readonly middleware: readonly ({ readonly router?: { readonly stack?: readonly KoaLayer[] } } & object)[];
  readonly proxy: boolean;
  readonly env: string;
}

export const koa: View<Koa> = {
  name: 'koa.Application',
  matches: (value): value is Koa => can(value, 'callback', 'use') && has(value, 'middleware', 'subdomainOffset'),
  readings: {
    routes: {
      read: ({ middleware: all }) =>
        all
          .flatMap(({ router }) => router?.stack ?? [])
          .map(({ methods, path, stack }) => ({
            method: methods.join(', ') || 'use',
            path: String(path),
            handlers: functionNames(stack),
          })),
    },
    middleware: { read: ({ middleware: all }) => functionNames(all) },
    proxy: setting(({ proxy }) => proxy),
    environment: setting(({ env }) => env),
  },
};

interface Hono {
  readonly routes: readonly { readonly method: string; readonly path: string; readonly handler: unknown }[];
}

export const hono: View<Hono> = {
  name: 'hono.Hono',
  matches: (value): value is Hono => isNamed(value, 'Hono', 'HonoBase') && can(value, 'fetch') && has(value, 'routes'),
  readings: {
    routes: {
      read: ({ routes }) => routes.map(({ method, path, handler }) => ({ method, path, handlers: nameOf(handler) })),
    },
  },
};
