import { describe, expect, it } from 'vitest';
import type { BeanDescription } from '../sources/bean-source.ts';
import { beanGraph, countByOwner } from './bean-graph.ts';

const bean = (
  name: string,
  dependencies: BeanDescription['dependencies'] = [],
  others: Partial<BeanDescription> = {},
): BeanDescription => ({
  name,
  type: 'Thing',
  scope: 'singleton',
  owner: 'shop',
  dependencies,
  instantiated: true,
  ...others,
});

const cyclesOf = (...beans: readonly BeanDescription[]) => beanGraph(beans).cycles.map(({ path }) => path.join(' '));

describe('the graph of beans', () => {
  it('has one dependency for each needed bean, and none for unknown names', () => {
    const { dependencies } = beanGraph([bean('a', ['b', 'b', 'closed']), bean('b', 'unknown')]);
    expect(dependencies.map(({ from, to, isInCycle }) => [from.name, to.name, isInCycle])).toEqual([['a', 'b', false]]);
  });

  it('finds cycles of any length, including a bean that needs itself', () => {
    expect(cyclesOf(bean('a', ['b']), bean('b', ['c']), bean('c', ['a', 'd']), bean('d'))).toEqual(['a b c']);
    expect(cyclesOf(bean('a', ['a']), bean('b', ['a']))).toEqual(['a']);
    expect(cyclesOf(bean('a', ['b']), bean('b'), bean('c', ['b']))).toEqual([]);
    expect(cyclesOf(bean('a', ['b']), bean('b', ['a']), bean('c', ['d', 'a']), bean('d', ['c']))).toEqual([
      'a b',
      'c d',
    ]);
  });

  it('shows the shortest cycle where beans need each other in several ways', () => {
    const [cycle] = beanGraph([bean('a', ['b']), bean('b', ['c', 'd']), bean('c', ['d']), bean('d', ['a'])]).cycles;
    expect(cycle).toEqual({ names: ['a', 'b', 'c', 'd'], path: ['a', 'b', 'd'] });
  });

  it('accepts a cycle of 3,000 beans', () => {
    const chain = Array.from({ length: 3000 }, (_, index) => bean(`${index}`, [`${(index + 1) % 3000}`]));
    expect(beanGraph(chain).cycles[0]?.names).toHaveLength(3000);
  });

  it('counts the beans of each owner', () => {
    expect([...countByOwner([bean('a'), bean('b', [], { owner: 'base' }), bean('c')])]).toEqual([
      ['base', 1],
      ['shop', 2],
    ]);
  });
});
