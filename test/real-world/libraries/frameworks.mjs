import { once } from 'node:events';
import { createServer } from 'node:http';

/** Servers, routers and what listens for clients. */
export const frameworks = {
  'express()': {
    package: 'express',
    line: '2 routes, middleware jsonParser, router',
    async make() {
      const { default: express } = await import('express');
      const app = express();
      app.use(express.json());
      app.get(
        '/orders',
        function requireSession(_request, _response, next) {
          next();
        },
        function listOrders(_request, response) {
          response.json([]);
        },
      );
      const router = express.Router();
      router.post('/orders/:id', function placeOrder() {});
      app.use('/api', router);
      return app;
    },
  },
  'express.Router': {
    package: 'express',
    line: '1 route',
    async make() {
      const { Router } = await import('express');
      const router = Router();
      router.get('/a', function listA() {});
      return router;
    },
  },
  'fastify()': {
    package: 'fastify',
    line: '2 routes, not listening',
    async make() {
      const { default: fastify } = await import('fastify');
      const app = fastify();
      app.decorate('prices', { apple: 1 });
      app.get('/a', async function listA() {
        return 1;
      });
      void app.register(async (scope) => scope.post('/b/:id', async () => 1), { prefix: '/v1' });
      await app.ready();
      return app;
    },
    end: (app) => app.close(),
  },
  Koa: {
    package: 'koa',
    line: '1 route, middleware logger, (anonymous)',
    async make() {
      const { default: Koa } = await import('koa');
      const { default: Router } = await import('@koa/router');
      const app = new Koa();
      const router = new Router();
      router.get('/a', async function listA() {});
      app.use(async function logger(_context, next) {
        await next();
      });
      app.use(router.routes());
      return app;
    },
  },
  Hono: {
    package: 'hono',
    line: '2 routes',
    async make() {
      const { Hono } = await import('hono');
      const app = new Hono();
      app.use('*', async (_context, next) => next());
      app.get('/a', function listA(context) {
        return context.text('a');
      });
      return app;
    },
  },
  'ws.WebSocketServer': {
    package: 'ws',
    line: '1 client',
    async make() {
      const { WebSocketServer, WebSocket } = await import('ws');
      const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
      await once(server, 'listening');
      const client = new WebSocket(`ws://127.0.0.1:${server.address().port}/`);
      await Promise.all([once(client, 'open'), once(server, 'connection')]);
      return server;
    },
    end(server) {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  },
  'ws.WebSocket': {
    package: 'ws',
    line: /^open, buffered 0 bytes$/,
    async make() {
      const { WebSocketServer, WebSocket } = await import('ws');
      const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
      await once(server, 'listening');
      const client = new WebSocket(`ws://127.0.0.1:${server.address().port}/?token=socketHunter2pw`);
      await once(client, 'open');
      client.once('close', () => server.close());
      return client;
    },
    end: (client) => client.terminate(),
  },
  'socket.io Server': {
    package: 'socket.io',
    line: '0 clients, 2 namespaces',
    async make() {
      const { Server } = await import('socket.io');
      const server = createServer();
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const io = new Server(server);
      io.of('/admin');
      return io;
    },
    end: (io) => io.close(),
  },
};
