import type { Feature } from '@jig/application';
import { clockFeature } from '@jig/clock';
import { startApplication } from '../../packages/application/test-fixtures/running-application.ts';
import beanInspection from '../../packages/bean-inspection/src/add-on.ts';

/** Values by the names of the beans that hold them. */
export type Beans = ReadonlyMap<string, unknown>;

/** Starts, in this process, an application with the clock, bean inspection and beans that a feature named `test beans` defines. */
export function startWithBeans(beans: Beans, flags: readonly string[] = []) {
  const feature: Feature = {
    name: 'test beans',
    register(host) {
      for (const [name, bean] of beans) host.define(name, { type: 'Object', create: () => bean });
      host.define('lazy', {
        type: 'Lazy',
        create() {
          throw new Error('was created, and failed');
        },
      });
    },
  };
  return startApplication([clockFeature, beanInspection, feature], flags);
}

/** A bean with a list, a map and nothing. */
export const nested = {
  list: [1, 2, 3],
  map: new Map([['uuid:1', { entity: null, params: {} }]]),
  none: undefined,
};
