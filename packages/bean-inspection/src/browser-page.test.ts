import { describe, expect, it } from 'vitest';
import { BeanIndex } from './bean-controller.ts';
import type { BeanDescription } from './bean-source.ts';
import { browserPage } from './browser-page.ts';

const names = ['a', '<b>&"', '\ud800'];
const descriptions = names.map((name) => ({
  name,
  type: 'Object',
  scope: 'singleton' as const,
  owner: 'test',
  dependencies: names,
  instantiated: true,
}));

it('browserPage links to beans of any name, also of one that no address can hold', () => {
  const page = browserPage(new BeanIndex(descriptions, '/jig').beans, { prefix: '/jig' });
  expect(page).toContain('href="/jig/bean/%3Cb%3E%26%22.json?pretty"');
  expect(page).toContain('href="#%3Cb%3E%26%22"');
  expect(page).toContain('href="#%EF%BF%BD"');
});

it('browserPage links below its prefix, and to a start page only where there is one', () => {
  const { beans } = new BeanIndex(descriptions, '/internal');
  const page = browserPage(beans, { prefix: '/internal' });
  expect(page).toContain('href="/internal/bean/a.xml?pretty"');
  expect(page).toContain('href="/internal/bean.json"');
  expect(page).not.toContain('Start page');
  expect(browserPage(beans, { prefix: '/internal', startPage: '/' })).toContain('<a href="/">Start page</a>');
});

const bean = (name: string, dependencies: readonly string[] | 'unknown', more: Partial<BeanDescription> = {}) => ({
  name,
  type: 'Object',
  scope: 'singleton' as const,
  owner: 'test',
  instantiated: true as const,
  ...more,
  dependencies,
});

describe('BeanIndex', () => {
  it('says of each bean which beans depend on it, as far as that is known', () => {
    const { beans } = new BeanIndex([bean('a', ['b', 'gone']), bean('b', 'unknown'), bean('c', ['b'])], '/jig');
    expect(beans.map(({ name, dependencies, dependents }) => [name, dependencies, dependents])).toEqual([
      ['a', ['b', 'gone'], []],
      ['b', 'unknown', ['a', 'c']],
      ['c', ['b'], []],
    ]);
  });

  it('has the same properties for every bean, in the order to show them', () => {
    const { beans } = new BeanIndex([bean('__proto__', ['__proto__']), bean('b', [], { replaced: true })], '/jig');
    expect(beans.map((each) => Object.keys(each).join())).toEqual(
      Array(2).fill('name,type,scope,owner,dependencies,dependents,instantiated,replaced,links'),
    );
    expect(beans.map(({ dependents, replaced }) => [dependents, replaced])).toEqual([
      [['__proto__'], false],
      [[], true],
    ]);
  });
});

it('browserPage shows what needs a bean, folded when there is much of it, and its state', () => {
  const users = Array.from({ length: 9 }, (_, index) =>
    bean(`user ${index}`, ['busy', ...(index === 0 ? ['calm'] : [])]),
  );
  const states = [
    bean('calm', 'unknown', { instantiated: 'unknown', replaced: true }),
    bean('busy', [], { instantiated: false }),
  ];
  const page = browserPage(new BeanIndex([...states, ...users], '/jig').beans, { prefix: '/jig' });
  expect(page).toContain('<td role="cell">unknown</td><td role="cell"><a href="#user%200">user 0</a></td>');
  expect(page).toContain('<details><summary>9 beans</summary><a href="#user%200">user 0</a>');
  expect(page).toContain('calm <small>replaced, perhaps not instantiated</small>');
  expect(page).toContain('busy <small>not instantiated</small>');
});
