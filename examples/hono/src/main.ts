import { serve } from '@hono/node-server';
import { beanInspection } from '@jig/bean-inspection/hono';
import { Orders, Pricing } from '@jig-examples/shop';
import { Hono } from 'hono';

const pricing = new Pricing();
const orders = new Orders(pricing);
const mailer = { server: 'smtp.example.com', user: 'shop', password: process.env.MAIL_PASSWORD ?? 'secret' };

const app = new Hono();
app.use(beanInspection({ pricing, orders, mailer }));

app.post('/orders', async (context) => {
  const { net, country } = await context.req.json<{ net?: number; country?: string }>();
  const order = orders.place(Number(net), String(country));
  return order === undefined ? context.json({ error: 'We do not sell there.' }, 400) : context.json(order, 201);
});

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' }, (address) => {
  console.log('listening on', address);
});
