import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { Problem, type Routes } from '@jig/application';
import { Type } from 'typebox';

const Order = Type.Object({
  id: Type.Integer(),
  customer: Type.String(),
  item: Type.String(),
  amount: Type.Integer(),
  placed: Type.String(),
});

const NewOrder = Type.Object(
  {
    customer: Type.String({ minLength: 1, maxLength: 100 }),
    item: Type.String({ minLength: 1, maxLength: 100 }),
    amount: Type.Integer({ minimum: 1, maximum: 1000 }),
  },
  { additionalProperties: false },
);

const Id = Type.Object({ id: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }) });
const Page = Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }) });

const noOrder = (id: number) => new Problem(404, { detail: `There is no order ${id}.` });

/** A Fastify plugin; its options are the beans that the feature needs. The types of bodies and parameters come from the schemas. */
export const orderRoutes: Routes<'orders', TypeBoxTypeProvider> = async (server, { orders }) => {
  server.get('/orders', { schema: { querystring: Page, response: { 200: Type.Array(Order) } } }, async ({ query }) => [
    ...(await orders.list(query.limit)),
  ]);

  server.get('/orders/:id', { schema: { params: Id, response: { 200: Order } } }, async ({ params: { id } }) => {
    const order = await orders.find(id);
    if (order === undefined) throw noOrder(id);
    return order;
  });

  server.post('/orders', { schema: { body: NewOrder, response: { 201: Order } } }, async ({ body }, reply) => {
    const order = await orders.add(body);
    if (order === undefined) throw new Error('The new order did not come back from the database.');
    return reply.code(201).header('location', `/orders/${order.id}`).send(order);
  });

  server.delete('/orders/:id', { schema: { params: Id } }, async ({ params: { id } }, reply) => {
    if (!(await orders.remove(id))) throw noOrder(id);
    return reply.code(204).send();
  });
};
