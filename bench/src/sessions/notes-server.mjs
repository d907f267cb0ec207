// The service's host and add-ons with two small routes that write into the session and read from it.
import { runApplication } from '@jig/application';

const notes = {
  name: 'notes',
  register: (host) =>
    host.routes(async (server) => {
      server.post('/notes', async (request, reply) => {
        await request.session.set(
          new Map([
            ['languageTag', 'de-DE'],
            ['zoneID', request.headers['x-zone'] ?? 'Europe/Berlin'],
          ]),
        );
        return reply.redirect('/notes', 302);
      });
      server.get('/notes', async (request) => ({ notes: (await request.session.entries()).size }));
    }),
};

await runApplication({
  name: 'Notes',
  description: 'Measured.',
  version: '0.0.0',
  manifest: new URL('../../../service/package.json', import.meta.url),
  features: [notes],
});
