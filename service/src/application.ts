import { readFileSync } from 'node:fs';
import type { ApplicationOptions } from '@jig/application';
import { clockFeature } from '@jig/clock';

const manifest = new URL('../package.json', import.meta.url);

/** The service: which features it is composed of. Its add-ons are those among the dependencies in its package.json. */
export const service: ApplicationOptions = {
  name: 'Jig',
  description: 'A clock for every locale and time zone of the world, and a look at the live beans behind it.',
  version: JSON.parse(readFileSync(manifest, 'utf8')).version,
  manifest,
  features: [clockFeature],
  settings: {
    beanInspection: {
      watch: [
        { bean: 'sessionManager', reading: 'created' },
        { bean: 'databasePool', reading: 'waiting' },
        { bean: 'clockPages', reading: 'pages' },
      ],
    },
  },
};
