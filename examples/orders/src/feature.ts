import { defineFeature } from '@jig/application';
import type {} from '@jig/embedded-database/add-on';
import { orderRoutes } from './order-routes.ts';
import { Orders } from './orders.ts';

declare module '@jig/application' {
  interface BeanTypes {
    orders: Orders;
  }
}

export const ordersFeature = defineFeature({
  name: 'orders',
  needs: ['orders', 'databasePool'],
  register(host) {
    host.define('orders', {
      create: ({ databasePool }) => new Orders(databasePool),
      start: (orders) => orders.start(),
    });
    host.routes(orderRoutes);
    host.link({ title: 'Orders', path: '/orders', description: 'The newest orders, as JSON.' });
  },
});
