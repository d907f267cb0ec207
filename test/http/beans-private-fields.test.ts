import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedBeans, serveBeans } from '../support/serve-beans.ts';

class Basket {
  #items = new Map([['apple', 2]]);
  #token = 'hidden-in-the-basket';

  total(): number {
    return this.#items.size + this.#token.length;
  }
}

describe('the option privateFields', () => {
  let shown: ServedBeans;
  let hidden: ServedBeans;
  beforeAll(async () => {
    shown = await serveBeans({ basket: new Basket() });
    hidden = await serveBeans({ basket: new Basket() }, { privateFields: false });
  });
  afterAll(() => Promise.all([shown.close(), hidden.close()]));

  const read = async ({ url }: ServedBeans, path: string) => (await fetch(`${url}/jig/${path}`)).text();

  it('hides private fields when it is off, also in the line of the list', async () => {
    expect(await read(hidden, 'bean/basket.json')).toBe('{}');
    expect(await read(hidden, 'bean.json')).not.toContain('#token');
    expect(await read(shown, 'bean.json')).toContain('"line":"#token ******, #items: 1 entry"');
  });

  it('shows private fields by default in documents, outlines, pages and searches, masked by name', async () => {
    expect(await read(shown, 'bean/basket.json')).toBe('{"#items":{"apple":2},"#token":"******"}');
    expect(await read(shown, 'bean/basket.xml')).toContain('<apple>2</apple>');
    expect(await read(shown, 'bean/basket.json?at=/%23items/apple')).toBe('2');
    expect(await read(shown, 'bean/basket.html')).toContain('#items');
    expect(await read(shown, 'bean.json?find=apple')).toContain('/#items/apple');
    const all = await Promise.all(
      ['bean/basket.json', 'bean/basket.xml', 'bean/basket.html'].map((path) => read(shown, path)),
    );
    for (const text of all) expect(text).not.toContain('hidden-in-the-basket');
  });
});
