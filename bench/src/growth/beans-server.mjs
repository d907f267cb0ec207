// The service with more beans: BENCH_BEANS of them, each of BENCH_BEAN_BYTES of JSON, in steps of 100.
import { runApplication } from '@jig/application';
import { clockFeature } from '@jig/clock';

const count = Number(process.env.BENCH_BEANS);
const bytes = Number(process.env.BENCH_BEAN_BYTES);
const bytesPerEntry = 100;

/** An entry of a bean as the original's: exactly 100 bytes of JSON, the comma between two of them included. */
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
