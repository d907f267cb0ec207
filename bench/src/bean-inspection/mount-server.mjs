// Serves one bean of 1 KB, in the way that the argument names: by bean inspection, by the framework itself, or as raw bytes.
import { createServer } from 'node:http';

/** About 1 KB of JSON. */
const orders = Array.from({ length: 12 }, (_, id) => ({
  id,
  country: 'de',
  total: 11900 + id,
  note: `order number ${id} of the day`,
  paid: id % 2 === 0,
}));
const bean = { name: 'orders', since: 1577185199000, orders };

const servers = {
  async 'node:http, beans'() {
    const { beanInspection } = await import('@jig/bean-inspection');
    const inspect = beanInspection({ orders: bean });
    return createServer((request, response) => {
      void inspect(request, response).then((isAnswered) => isAnswered || response.writeHead(404).end());
    });
  },
  async 'node:http, JSON'() {
    return createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(bean));
    });
  },
  /** The same head and the same bytes, in one chunk. */
  async 'node:http, raw'() {
    const body = Buffer.from(JSON.stringify(bean));
    const head = { 'content-type': 'application/json', 'transfer-encoding': 'chunked', ...JSON.parse(process.argv[3]) };
    return createServer((_request, response) => response.writeHead(200, head).end(body));
  },
  async 'Express, beans'() {
    const { default: express } = await import('express');
    const { beanInspection } = await import('@jig/bean-inspection/express');
    return createServer(express().use(beanInspection({ orders: bean })));
  },
  async 'Express, JSON'() {
    const { default: express } = await import('express');
    return createServer(express().get('/jig/bean/orders.json', (_request, response) => response.json(bean)));
  },
  async 'Fastify, beans'() {
    const { default: fastify } = await import('fastify');
    const { beanInspection } = await import('@jig/bean-inspection/fastify');
    const app = fastify();
    await app.register(beanInspection, { source: { orders: bean } });
    await app.ready();
    return app.server;
  },
  async 'Fastify, JSON'() {
    const { default: fastify } = await import('fastify');
    const app = fastify();
    app.get('/jig/bean/orders.json', async () => bean);
    await app.ready();
    return app.server;
  },
};

const server = await servers[process.argv[2]]();
server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
