// The service with BENCH_BEANS more beans, each BENCH_BEAN_BYTES of JSON long, a multiple of 100.
import { runApplication } from '@jig/application';
import { clockFeature } from '@jig/clock';

const count = Number(process.env.BENCH_BEANS);
const bytes = Number(process.env.BENCH_BEAN_BYTES);
const bytesPerEntry = 100;

/** Exactly 100 bytes of JSON, including the comma between two entries. */
function entry(number) {
  const id = String(number).padStart(8, '0');
  return [`uuid:${id}`, { expiration: 1577185199000, location: `http://10.0.0.1/${id}/01`, entity: null }];
}

const moreBeans = {
  name: 'more-beans',
  register(host) {
    for (let number = 0; number < count; number += 1) {
      host.define(`bean${number}`, {
        type: 'Map',
        create: () => new Map(Array.from({ length: bytes / bytesPerEntry }, (_, index) => entry(index))),
      });
    }
  },
};

await runApplication({
  name: 'Growing',
  description: 'Measured.',
  version: '0.0.0',
  manifest: new URL('../../../service/package.json', import.meta.url),
  features: [clockFeature, moreBeans],
});
