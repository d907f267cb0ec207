import { defineFeature, duration } from '@jig/application';
import { DiscoveryService } from './discovery-service.ts';

export const discovery = defineFeature({
  name: 'discovery',
  section: 'discovery',
  settings: {
    interval: duration({ default: 1000, minimum: 10, description: 'How often a device announces itself.' }),
  },
  register(host) {
    host.define('discoveryService', {
      type: 'DiscoveryService',
      create: () => new DiscoveryService(host.settings.interval),
      start: (service) => service.start(),
      stop: (service) => service.stop(),
    });
    host.link({
      title: 'Devices',
      path: '/jig/bean/discoveryService.json',
      description: 'Who has announced itself lately.',
    });
  },
});
