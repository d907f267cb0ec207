import { runApplication } from '@jig/application';
import { notesFeature } from './notes.ts';

await runApplication({
  name: 'Notes',
  description: 'A single-page application with an API.',
  version: '0.1.0',
  manifest: new URL('../package.json', import.meta.url),
  features: [notesFeature],
});
