import { expect, it } from 'vitest';
import { searchPage } from './search-page.ts';

it('links to the place of a hit, and to the whole bean for one in its name', () => {
  const match = { text: 'cart', start: 0, end: 4 };
  const hits = [
    { pointer: '', in: 'name', ...match },
    { pointer: '/kind', in: 'value', ...match },
  ] as const;
  const beans = [{ name: 'cart', type: 'Cart', hits }];
  const content = { text: 'cart', beans, isComplete: true, unsearched: [], milliseconds: 1 };
  const page = searchPage({ prefix: '/jig' }, content);
  const links = [...page.matchAll(/<td role="cell"><a[^>]* href="([^"]*)">([^<]*)<\/a>/g)].map(
    ([, href, label]) => `${label}: ${href}`,
  );
  expect(links).toEqual(['the whole bean: /jig/bean/cart.html', '/kind: /jig/bean/cart.html?at=/kind']);
});
