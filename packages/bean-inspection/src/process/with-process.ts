import type { BeanDescription, BeanSource, BeanValue } from '../sources/bean-source.ts';
import { processBean } from './process-bean.ts';

export const processName = 'process';

const description: BeanDescription = {
  name: processName,
  type: 'ProcessBean',
  scope: 'singleton',
  owner: '@jig/bean-inspection',
  dependencies: [],
  instantiated: true,
};

/** The beans of a source and the bean `process`, unless it has one of that name. */
export function withProcess<Context>(source: BeanSource<Context>): BeanSource<Context> {
  const isAdded = (name: string) => name === processName && !source.has(processName);
  const peekAll = (existing: ReadonlyMap<string, BeanValue>) =>
    isAdded(processName) ? new Map(existing).set(processName, { value: processBean() }) : existing;
  return {
    ...(source.create === undefined ? {} : { create: source.create }),
    ...(source.peekAll === undefined ? {} : { peekAll: () => peekAll(source.peekAll?.() ?? new Map()) }),
    describe: () => (isAdded(processName) ? [...source.describe(), description] : source.describe()),
    has: (name) => name === processName || source.has(name),
    peek: (name) => (isAdded(name) ? { value: processBean() } : source.peek(name)),
    get: (name, context) => (isAdded(name) ? Promise.resolve({ value: processBean() }) : source.get(name, context)),
  };
}
