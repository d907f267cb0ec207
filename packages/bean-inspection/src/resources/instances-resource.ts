import type { Resource } from '../beans/resource.ts';
import { resourceNames } from '../http/resource-names.ts';
import { sorted } from '../instances/instance.ts';

/** `/instances.json`: the instances of the application that this one can ask, and itself. */
export const instancesResource: Resource = {
  ...resourceNames.instances,
  methods: ['GET'],
  isNegotiated: false,
  answer: ({ instances, others }) => {
    const told = others.map(({ id, label, pid, startedAt, fault }) => ({ id, label, pid, startedAt, fault }));
    return { bytes: JSON.stringify(sorted([instances.self, ...told])), mediaType: 'application/json' };
  },
};
