import { expect, it } from 'vitest';
import { BeanIndex } from '../bean-index.ts';
import { browserPage } from './browser-page.ts';

it('links to beans of any name, also of one that no address can hold', () => {
  const names = ['a', '<b>&"', '\ud800'];
  const describe = (name: string) => ({
    name,
    type: 'Object',
    scope: 'singleton' as const,
    owner: 'test',
    dependencies: names,
    instantiated: true,
  });
  const source = { names: () => names, describe, peek: () => undefined, get: async () => undefined };
  const page = browserPage(new BeanIndex(source, () => true));
  expect(page).toContain('href="/jig/bean/%3Cb%3E%26%22.json?pretty"');
  expect(page).toContain('href="#%3Cb%3E%26%22"');
  expect(page).toContain('href="#%EF%BF%BD"');
});
