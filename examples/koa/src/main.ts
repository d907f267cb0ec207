import { json } from 'node:stream/consumers';
import { beanInspection } from '@jig/bean-inspection/koa';
import { Orders, Pricing } from '@jig-examples/shop';
import Koa from 'koa';

const pricing = new Pricing();
const orders = new Orders(pricing);
const mailer = { server: 'smtp.example.com', user: 'shop', password: process.env.MAIL_PASSWORD ?? 'secret' };

const app = new Koa();
app.use(beanInspection({ pricing, orders, mailer }));

app.use(async (context) => {
  if (context.method !== 'POST' || context.path !== '/orders') return;
  const { net, country }: { net?: unknown; country?: unknown } = Object(await json(context.req));
  const order = orders.place(Number(net), String(country));
  context.status = order === undefined ? 400 : 201;
  context.body = order ?? { error: 'We do not sell there.' };
});

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log('listening on', server.address());
});
