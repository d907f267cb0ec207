import { expect, it } from 'vitest';
import { BeanIndex } from './bean-controller.ts';
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
