// The service with routes that write into the session and read from it, and with BENCH_BEANS more beans,
// each BENCH_BEAN_BYTES of JSON long, a multiple of 100.
import { runApplication } from '@jig/application';
import { clockFeature } from '@jig/clock';

const { BENCH_BEANS: count = 0, BENCH_BEAN_BYTES: bytes = 0 } = process.env;

/** Exactly 100 bytes of JSON, including the comma between two entries. */
function entry(number) {
  const id = String(number).padStart(8, '0');
  return [`uuid:${id}`, { expiration: 1577185199000, location: `http://10.0.0.1/${id}/01`, entity: null }];
}

const measured = {
  name: 'measured',
  register(host) {
    const create = () => new Map(Array.from({ length: bytes / 100 }, (_, index) => entry(index)));
    for (let number = 0; number < count; number += 1) host.define(`bean${number}`, { type: 'Map', create });
    host.routes(async (server) => {
      server.post('/notes', async (request, reply) => {
        const zoneID = request.headers['x-zone'] ?? 'Europe/Berlin';
        await request.session.set(new Map(Object.entries({ languageTag: 'de-DE', zoneID })));
        return reply.redirect('/notes', 302);
      });
      server.get('/notes', async (request) => ({ notes: (await request.session.entries()).size }));
    });
  },
};

await runApplication({
  name: 'Measured',
  description: 'Measured.',
  version: '0.0.0',
  manifest: new URL('../../../service/package.json', import.meta.url),
  features: [clockFeature, measured],
});
