import { beanInspection } from '@jig/bean-inspection/express';
import { Orders, Pricing } from '@jig-examples/shop';
import express from 'express';

const pricing = new Pricing();
const orders = new Orders(pricing);
const mailer = { server: 'smtp.example.com', user: 'shop', password: process.env.MAIL_PASSWORD ?? 'secret' };

const app = express();
app.use(beanInspection({ pricing, orders, mailer }));
app.use(express.json());

app.post('/orders', (request, response) => {
  const { net, country } = request.body ?? {};
  const order = orders.place(Number(net), String(country));
  if (order === undefined) response.status(400).json({ error: 'We do not sell there.' });
  else response.status(201).json(order);
});

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log('listening on', server.address());
});
