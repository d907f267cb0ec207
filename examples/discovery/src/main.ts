import { runApplication } from '@jig/application';
import { discovery } from './discovery.ts';

await runApplication({
  name: 'Discovery',
  description: 'A bean that changes as time goes by: look at /jig/bean/discoveryService.json or .xml.',
  version: '0.1.0',
  manifest: new URL('../package.json', import.meta.url),
  features: [discovery],
});
