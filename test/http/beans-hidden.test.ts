import type { BeanDescription, BeanSource } from '@jig/bean-inspection';
import { afterEach, describe, expect, it } from 'vitest';
import { everyAnswer } from '../support/every-answer.ts';
import { dechunk } from '../support/exchange.ts';
import { type ServedBeans, serveBeans } from '../support/serve-beans.ts';

let served: ServedBeans | undefined;

afterEach(async () => {
  await served?.close();
  served = undefined;
});

/** A bean that exists, and what it depends on. */
interface Bean {
  readonly value: unknown;
  readonly needs?: readonly string[];
}

function sourceOf(beans: ReadonlyMap<string, Bean>): BeanSource {
  return {
    describe: () =>
      [...beans].map(
        ([name, { value, needs = [] }]): BeanDescription => ({
          name,
          type: typeof value === 'object' && value !== null ? value.constructor.name : typeof value,
          scope: 'singleton',
          owner: 'shop',
          dependencies: needs,
          instantiated: true,
        }),
      ),
    has: (name) => beans.has(name),
    peek: (name) => beans.get(name),
    get: async (name) => ({ value: beans.get(name)?.value }),
  };
}

describe('a bean that is closed', () => {
  class Strongbox {
    readonly rows = ['gold-bars'];
  }

  const shop = () => {
    const vault = new Strongbox();
    const key = () => 'opened';
    const orders = {
      vault,
      count: 1,
      list: [vault, key],
      map: new Map<unknown, unknown>([
        ['inside', vault],
        [vault, 1],
      ]),
      made: { toJSON: () => vault },
      get lazily() {
        return vault;
      },
    };
    const beans = new Map<string, Bean>([
      ['vault', { value: vault }],
      ['vaultKey', { value: key }],
      ['orders', { value: orders, needs: ['vault', 'stock', 'vaultKey'] }],
      ['stock', { value: { amount: 3 }, needs: [] }],
    ]);
    return { beans, orders };
  };

  it.each([
    ['deny', { deny: ['vault*'] }],
    ['allow', { allow: ['orders', 'stock'] }],
  ])('by %s is shown nowhere inside a bean that holds it, nor is its name', async (option, rules) => {
    const { beans, orders } = shop();
    served = await serveBeans(sourceOf(beans), rules);
    const answers = await everyAnswer(served.url, {
      beans: ['orders', 'stock'],
      texts: ['gold', 'Strongbox', 'opened'],
      change: () => orders.count++,
    });
    for (const [asked, body] of answers) {
      expect([asked, body]).toEqual([asked, expect.not.stringContaining('gold-bars')]);
      // What is searched for is repeated; so is the key under which the bean is held.
      expect([asked, body]).toEqual([asked, expect.not.stringMatching(/vaultKey|vault","stock|"bean":"vault/)]);
      if (!asked.includes('Strongbox'))
        expect([asked, body]).toEqual([asked, expect.not.stringContaining('Strongbox')]);
    }
    const document = JSON.parse(dechunk(answers.get('/jig/bean/orders.json?depth=3 ') ?? ''));
    expect(document).toEqual({
      vault: '[Closed]',
      count: 2,
      list: ['[Closed]', '[Closed]'],
      map: [
        { key: 'inside', value: '[Closed]' },
        { key: '[Closed]', value: 1 },
      ],
      made: '[Closed]',
      lazily: '[Closed]',
    });
    expect(answers.get('/jig/bean/orders.html text/html')).toContain('<span class="tag">closed</span>');
    const below = await fetch(`${served.url}/jig/bean/orders.json?at=/vault/rows`);
    expect(below.status).toBe(404);
    const itself = await fetch(`${served.url}/jig/bean/orders.xml?at=/vault`);
    expect(await itself.text()).toBe('<String>[Closed]</String>');
    const list = (await (await fetch(`${served.url}/jig/bean.json`)).json()) as { beans: BeanDescription[] };
    expect(list.beans.map(({ name, dependencies }) => [name, dependencies])).toEqual([
      ['orders', ['stock']],
      ['stock', []],
      ...(option === 'deny' ? [['process', []]] : []),
    ]);
  });

  it('is shown when it is open by another name', async () => {
    const { beans } = shop();
    const { value } = beans.get('vault') ?? {};
    served = await serveBeans(sourceOf(new Map([...beans, ['safe', { value }] as const])), { deny: ['vault'] });
    expect(await (await fetch(`${served.url}/jig/bean/safe.json`)).json()).toEqual({ rows: ['gold-bars'] });
    expect(await (await fetch(`${served.url}/jig/bean/orders.json?at=/vault`)).json()).toEqual({ rows: ['gold-bars'] });
  });

  it('is not shown by the GET that creates it as a dependency', async () => {
    const { beans } = shop();
    const made = new Map([['stock', { value: 1 }]] as [string, Bean][]);
    const source: BeanSource = {
      ...sourceOf(beans),
      peek: (name) => made.get(name),
      get: async (name) => {
        for (const [each, bean] of beans) made.set(each, bean);
        return { value: beans.get(name)?.value };
      },
    };
    served = await serveBeans(source, { deny: ['vault*'] });
    const answer = await fetch(`${served.url}/jig/bean/orders.json`);
    expect(await answer.json()).toMatchObject({ vault: '[Closed]', count: 1, lazily: '[Closed]' });
  });

  it('is not created to compare it', async () => {
    const source = sourceOf(shop().beans);
    const asked: string[] = [];
    const watched: BeanSource = {
      ...source,
      get: (name, context) => {
        asked.push(name);
        return source.get(name, context);
      },
    };
    served = await serveBeans(watched, { deny: ['vault'] });
    await (await fetch(`${served.url}/jig/bean/orders.json`)).text();
    expect(asked).toEqual([]);
  });
});
