import type { BeanDescription, BeanSource } from '@jig/bean-inspection';
import { afterEach, describe, expect, it } from 'vitest';
import { everyAnswer } from '../support/every-answer.ts';
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
  ])('by %s is shown nowhere below a bean that holds it, and neither is its name', async (option, rules) => {
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
    const document = JSON.parse(answers.get('/jig/bean/orders.json?depth=3 ')?.split('\r\n')[1] ?? '{}');
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

  it('is shown where it is open by another name', async () => {
    const { beans } = shop();
    const { value } = beans.get('vault') ?? {};
    served = await serveBeans(sourceOf(new Map([...beans, ['safe', { value }] as const])), { deny: ['vault'] });
    expect(await (await fetch(`${served.url}/jig/bean/safe.json`)).json()).toEqual({ rows: ['gold-bars'] });
    expect(await (await fetch(`${served.url}/jig/bean/orders.json?at=/vault`)).json()).toEqual({ rows: ['gold-bars'] });
  });

  it.each(['GET', 'POST'])('is not shown by the %s that creates it with the bean that needs it', async (method) => {
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
    const address = `${served.url}/jig/bean/orders${method === 'GET' ? '.json' : ''}`;
    const answer = await fetch(address, { method, headers: { accept: 'application/json' } });
    expect(await answer.json()).toMatchObject({ vault: '[Closed]', count: 1, lazily: '[Closed]' });
  });

  it('is not created to know what it is', async () => {
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

describe('a bean whose name holds a secret', () => {
  const forbidden = /pw-leak-name|other-password|known-secret-9/;

  const shop = () => {
    const pool = { size: 1 };
    const cache = { entries: 1 };
    const named: readonly (readonly [string, Bean])[] = [
      ['postgres://app:pw-leak-name@db/orders', { value: pool, needs: ['known-secret-9 cache'] }],
      ['postgres://app:other-password@db/orders', { value: { size: 2 } }],
      ['known-secret-9 cache', { value: cache, needs: ['https://u:pw-leak-name@nowhere'] }],
      ['holder', { value: { pool, cache }, needs: ['postgres://app:pw-leak-name@db/orders'] }],
    ];
    const change = () => {
      pool.size++;
      cache.entries++;
    };
    return { source: sourceOf(new Map(named)), raw: named.map(([name]) => encodeURIComponent(name)), change };
  };

  interface List {
    readonly beans: (BeanDescription & { readonly dependents: string[]; readonly links: { readonly json: string } })[];
  }

  const linksOf = ({ beans }: List) => beans.map(({ links }) => links.json.replace(/^.*\/(.*)\.json$/, '$1'));

  it('shows it in no answer, wherever the bean is asked for', async () => {
    const { source, raw, change } = shop();
    served = await serveBeans(source, { secrets: ['known-secret-9'] });
    const list = (await (await fetch(`${served.url}/jig/bean.json`)).json()) as List;
    const beans = [...linksOf(list), ...raw];
    const answers = await everyAnswer(served.url, { beans, texts: ['pw-leak', 'known-secret', 'orders'], change });
    for (const [asked, body] of answers) {
      // The protocol wants the address of a resource to be repeated.
      if (asked.startsWith('resources/read') && forbidden.test(asked)) continue;
      expect([asked, body.match(forbidden)?.[0]]).toEqual([asked, undefined]);
      expect([asked, body]).toEqual([asked, expect.not.stringContaining('Resource not found')]);
    }
    expect(answers.get('/jig/graph.dot ')).toContain('postgres://******@db/orders (2)');
    expect(answers.get('/jig/compare.json-patch?from=before ')).toContain('/postgres:~1~1******@db~1orders/size');
    for (const [asked, body] of answers)
      if (/list_beans.*(pw-leak|known-secret)/.test(asked))
        expect([asked, body]).toEqual([asked, expect.stringContaining('\\"total\\":0')]);
  });

  it('is listed with a link by which it is found, and with what it depends on', async () => {
    served = await serveBeans(shop().source, { secrets: ['known-secret-9'] });
    const { url } = served;
    const list = (await (await fetch(`${url}/jig/bean.json`)).json()) as List;
    expect(list.beans.map(({ name, dependencies, dependents }) => [name, dependencies, dependents])).toEqual([
      ['postgres://******@db/orders', ['****** cache'], ['holder']],
      ['postgres://******@db/orders (2)', [], []],
      ['****** cache', ['https://******@nowhere'], ['postgres://******@db/orders']],
      ['holder', ['postgres://******@db/orders'], []],
      ['process', [], []],
    ]);
    const documents = await Promise.all(list.beans.map(async ({ links }) => (await fetch(url + links.json)).json()));
    expect(documents).toMatchObject([{ size: 1 }, { size: 2 }, { entries: 1 }, {}, { pid: process.pid }]);
    const page = await (await fetch(`${url}/jig/bean`, { headers: { accept: 'text/html' } })).text();
    for (const link of linksOf(list)) expect(page).toContain(`href="/jig/bean/${link}.html"`);
  });

  it('is found by its own name too, and a bean whose name looks masked by that', async () => {
    const source = sourceOf(
      new Map([
        ['redis://******@db', { value: { is: 'so called' } }],
        ['redis://a:pw-leak-name@db', { value: { is: 'masked' } }],
      ]),
    );
    served = await serveBeans(source);
    const { url } = served;
    const is = async (name: string) =>
      ((await (await fetch(`${url}/jig/bean/${encodeURIComponent(name)}.json`)).json()) as { is?: string }).is;
    expect(await is('redis://******@db')).toBe('so called');
    expect(await is('redis://******@db (2)')).toBe('masked');
    expect(await is('redis://a:pw-leak-name@db')).toBe('masked');
    expect(await is('redis://******@db (3)')).toBeUndefined();
  });
});
