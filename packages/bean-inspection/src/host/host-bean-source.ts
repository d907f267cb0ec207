import { types } from 'node:util';
import type { BeanSource as HostBeans } from '@jig/application';
import type { FastifyRequest } from 'fastify';
import type { BeanDescription, BeanSource, BeanValue } from '../sources/bean-source.ts';
import { peekValue, settleValue } from '../sources/bean-values.ts';

/** The beans of the host, as bean inspection sees them. */
export function hostBeanSource(beans: HostBeans): BeanSource<FastifyRequest> {
  const peek = (name: string): BeanValue | undefined => {
    const value = beans.peek(name);
    return value === undefined && beans.describe(name)?.instantiated !== true ? undefined : peekValue(value);
  };
  const describe = (name: string): readonly BeanDescription[] => {
    const description = beans.describe(name);
    if (description === undefined) return [];
    const isUnknown = types.isPromise(beans.peek(name)) && peek(name) === undefined;
    return [isUnknown ? { ...description, instantiated: 'unknown' } : description];
  };
  return {
    describe: () => beans.names().flatMap(describe),
    has: (name) => beans.describe(name) !== undefined,
    peek,
    async get(name, request) {
      const coming = beans.get(name, request);
      const kept = beans.peek(name);
      if (kept === undefined && peek(name) === undefined) return { value: await coming };
      // The promise of a singleton would ask it for `then`, which may be a trap; so it is not awaited.
      coming.catch(() => undefined);
      return settleValue(kept);
    },
  };
}
