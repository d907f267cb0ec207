import { bySymbol, functionLabel, functionNames } from './shape.ts';
import { type Live, view } from './view-table.ts';

/** The path at which a router is mounted. Express 5 does not keep it, unless it is `/`. */
function mountPath({ slash, regexp }: Live): string {
  if (slash === true || regexp?.fast_slash === true) return '';
  const source = regexp?.source.replace(/^\^/, '').replace(/\\\/\?\(\?=\\\/\|\$\)$/, '');
  return source === undefined ? '…' : source.replaceAll('\\/', '/');
}

function expressRoutes({ stack }: Live, prefix = ''): object[] {
  return stack.flatMap((layer: Live) => {
    const { route, handle } = layer;
    if (route === undefined)
      return expressRouter.matches(handle) ? expressRoutes(handle, prefix + mountPath(layer)) : [];
    const method = Object.keys(route.methods).join(', ').toUpperCase().replace('_ALL', 'ALL');
    const handlers = functionNames(route.stack.map((each: Live) => each.handle));
    return [{ method, path: prefix + String(route.path), handlers }];
  });
}

const middleware = ({ stack }: Live) =>
  functionNames(stack.filter(({ route }: Live) => route === undefined).map(({ handle }: Live) => handle));

/** Express 4 keeps its router in `_router`, and its `router` throws. */
const routerOf = (app: Live) => ('_router' in app ? app._router : app.router) ?? { stack: [] };

const expressRouter = view('express.Router', {
  isFunction: true,
  can: 'use route param',
  has: 'stack',
  reads: { routes: (router) => expressRoutes(router), middleware },
});

/** Fastify lists its routes only as text; without common prefixes, each line has a whole path. */
function fastifyRoutes(fastify: Live): object[] {
  const lines: string[] = fastify.printRoutes({ commonPrefix: false }).split('\n');
  return lines.flatMap((line) => {
    const route = line.replace(/^[│├└─┬\s]*/, '');
    const split = route.lastIndexOf(' (');
    return split > 0 ? [{ method: route.slice(split + 2, -1), path: route.slice(0, split) }] : [];
  });
}

export const frameworks = [
  view('express.Application', {
    isFunction: true,
    can: 'engine use enabled',
    has: 'settings mountpath',
    reads: { routes: (app) => expressRoutes(routerOf(app)), middleware: (app) => middleware(routerOf(app)) },
    settings: { trustProxy: ({ settings }) => settings['trust proxy'], environment: 'settings.env' },
  }),
  expressRouter,
  view('fastify.FastifyInstance', {
    can: 'printRoutes decorate register inject',
    reads: {
      routes: fastifyRoutes,
      state: ({ server }) => (server.listening ? 'listening' : 'not listening'),
      plugins: (app) => (bySymbol(app, 'registered-plugin') as readonly string[] | undefined)?.join(', ') || undefined,
    },
  }),
  view('koa.Application', {
    can: 'callback use',
    has: 'middleware subdomainOffset',
    reads: {
      routes: (app) =>
        app.middleware
          .flatMap(({ router }: Live) => router?.stack ?? [])
          .map(({ methods, path, stack }: Live) => ({
            method: methods.join(', ') || 'use',
            path: String(path),
            handlers: functionNames(stack),
          })),
      middleware: (app) => functionNames(app.middleware),
    },
    settings: { proxy: 'proxy', environment: 'env' },
  }),
  view('hono.Hono', {
    named: 'Hono HonoBase',
    can: 'fetch',
    has: 'routes',
    reads: {
      routes: ({ routes }) =>
        routes.map(({ method, path, handler }: Live) => ({ method, path, handlers: functionLabel(handler) })),
    },
  }),
];
