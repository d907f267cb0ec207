import { runApplication } from '@jig/application';

await runApplication({
  name: 'Greeting',
  description: 'An application with one add-on.',
  version: '0.1.0',
  manifest: new URL('../package.json', import.meta.url),
  features: [],
});
