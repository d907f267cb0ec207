import { expect, it } from 'vitest';
import { serveBeans } from '../support/serve-beans.ts';

class Basket {
  #items = new Map([['apple', 2]]);
  #token = 'hidden-in-the-basket';

  total(): number {
    return this.#items.size + this.#token.length;
  }
}

it('private fields are shown in every form, masked by name, and hidden by privateFields: false', async () => {
  const shown = await serveBeans({ basket: new Basket() });
  const hidden = await serveBeans({ basket: new Basket() }, { privateFields: false });
  for (const [path, text] of [
    ['bean/basket.json', '{"#items":{"apple":2},"#token":"******"}'],
    ['bean/basket.xml', '<apple>2</apple>'],
    ['bean/basket.html', '#items'],
    ['bean/basket.json?at=/%23items/apple', '2'],
    ['bean.json?find=apple', '/#items/apple'],
    ['bean.json', '"line":"#token ******, #items: 1 entry"'],
  ] as const) {
    const read = async (url: string) => (await fetch(`${url}/jig/${path}`)).text();
    expect([path, await read(shown.url)]).toEqual([path, expect.stringContaining(text)]);
    expect([path, await read(shown.url)]).toEqual([path, expect.not.stringContaining('hidden-in-the-basket')]);
    expect([path, await read(hidden.url)]).toEqual([path, expect.not.stringMatching(/#items|#token|apple":2/)]);
  }
  await Promise.all([shown.close(), hidden.close()]);
});
