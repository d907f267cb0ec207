import { beanInspection } from '@jig/bean-inspection/fastify';
import { Orders, Pricing } from '@jig-examples/shop';
import fastify from 'fastify';

const pricing = new Pricing();
const orders = new Orders(pricing);
const mailer = { server: 'smtp.example.com', user: 'shop', password: process.env.MAIL_PASSWORD ?? 'secret' };

const app = fastify({ logger: true });
await app.register(beanInspection, { source: { pricing, orders, mailer } });

app.post<{ Body: { net?: number; country?: string } }>('/orders', async ({ body }, reply) => {
  const order = orders.place(Number(body.net), String(body.country));
  return order === undefined ? reply.code(400).send({ error: 'We do not sell there.' }) : reply.code(201).send(order);
});

await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
