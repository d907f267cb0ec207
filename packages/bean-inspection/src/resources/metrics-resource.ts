import type { Resource } from '../beans/resource.ts';

/** Loaded when it is first needed, since most applications are never scraped; and once, since importing again is slow. */
let prometheus: typeof import('../readings/prometheus.ts') | undefined;

/** `/metrics`: readings with the name of a metric, for Prometheus. */
export const metricsResource: Resource = {
  name: 'metrics',
  extensions: [],
  hasEntries: false,
  methods: ['GET'],
  isNegotiated: true,
  async answer(call) {
    prometheus ??= await import('../readings/prometheus.ts');
    return prometheus.metricsAnswer(call);
  },
};
