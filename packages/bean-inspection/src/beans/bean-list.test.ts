import { inspect } from '@jig/inspect';
import { describe, expect, it } from 'vitest';
import type { BeanDescription } from '../sources/bean-source.ts';
import { listBeans, listDocument } from './bean-list.ts';

const bean = (name: string, dependencies: readonly string[] | 'unknown', more: Partial<BeanDescription> = {}) => ({
  name,
  type: 'Object',
  scope: 'singleton' as const,
  owner: 'test',
  instantiated: true as const,
  ...more,
  dependencies,
});

describe('the list of beans', () => {
  it('names the known dependents of each bean', () => {
    const beans = listBeans([bean('a', ['b', 'gone']), bean('b', 'unknown'), bean('c', ['b'])], '/jig');
    expect(beans.map(({ name, dependencies, dependents }) => [name, dependencies, dependents])).toEqual([
      ['a', ['b', 'gone'], []],
      ['b', 'unknown', ['a', 'c']],
      ['c', ['b'], []],
    ]);
  });

  it('does not mask the name of a bean that follows one called token', () => {
    const needs = ['DATABASE_TOKEN', 'CONFIGURATION(5b103f4a)'];
    const beans = listBeans([bean('a', needs), ...needs.map((name) => bean(name, 'unknown'))], '/jig');
    expect(inspect(listDocument(beans)).toString()).toBe(JSON.stringify({ beans }));
  });

  it('has the same properties for every bean, in the order to show them', () => {
    const beans = listBeans([bean('__proto__', ['__proto__']), bean('b', [], { replaced: true })], '/jig');
    expect(beans.map((each) => Object.keys(each).join())).toEqual(
      Array(2).fill('name,type,scope,owner,dependencies,dependents,instantiated,replaced,links'),
    );
    expect(beans.map(({ dependents, replaced }) => [dependents, replaced])).toEqual([
      [['__proto__'], false],
      [[], true],
    ]);
  });

  it('links to the documents of a bean of any name below the prefix', () => {
    const beans = listBeans([bean('<b>&"', []), bean('\ud800', [])], '/internal');
    expect(beans.map(({ links }) => links.json)).toEqual([
      '/internal/bean/%3Cb%3E%26%22.json',
      '/internal/bean/%EF%BF%BD.json',
    ]);
  });
});
