import { runApplication } from '@jig/application';
import { ordersFeature } from './feature.ts';

await runApplication({
  name: 'Orders',
  description: 'Takes orders and keeps them in a PostgreSQL of its own.',
  version: '0.1.0',
  manifest: new URL('../package.json', import.meta.url),
  features: [ordersFeature],
});
