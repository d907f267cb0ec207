import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { anyBean } from '../test-fixtures/any-bean.ts';
import { propertyRuns } from '../test-fixtures/property-runs.ts';
import { find } from './find.ts';
import { outline } from './outline.ts';

const found = async (value: unknown, text: string, options = {}) =>
  (await find(value, text, options)).hits.map(({ pointer, in: where }) => `${where} ${pointer}`);

class Customer {
  name = 'Amara Osei';
  readonly orders = new Map<string, unknown>([['osei/1', { total: 129.9, at: new Date(0) }]]);
}

describe('find', () => {
  it('finds keys, types and values, whatever their case, with the pointer of each', async () => {
    const bean = { customer: new Customer(), list: [true, null, 'the customer left'] };
    expect(await found(bean, 'CUSTOMER')).toEqual(['key /customer', 'type /customer', 'value /list/2']);
    expect(await found(bean, 'osei')).toEqual(['value /customer/name', 'key /customer/orders/osei~11']);
    expect(await found(bean, '129.9')).toEqual(['value /customer/orders/osei~11/total']);
    expect(await found(bean, '1970-01')).toEqual(['value /customer/orders/osei~11/at']);
    expect(await found('a text', 'text')).toEqual(['value ']);
    expect(await found(bean, 'nowhere')).toEqual([]);
  });

  it('truncates the text around the match, with the offsets of the match', async () => {
    const { hits } = await find({ text: `${'a'.repeat(500)} İstanbul needle ${'b'.repeat(500)}` }, 'needle');
    const [{ text, start, end } = { text: '', start: 0, end: 0 }] = hits;
    expect(text.slice(start, end)).toBe('needle');
    expect([text.length < 200, text.startsWith('…'), text.endsWith('…')]).toEqual([true, true, true]);
    const [short] = (await find(['Needle'], 'needle')).hits;
    expect(short).toEqual({ pointer: '/0', in: 'value', text: 'Needle', start: 0, end: 6 });
  });

  it('cannot be used to test for a secret, by its key, in a URL, as a known one, or by the mask', async () => {
    const secrets = ['planted-known-secret', '1234567890'];
    const bean = {
      password: 'planted-password',
      nested: { apiKeys: ['planted-key'] },
      url: 'postgres://somebody:planted-url@db/',
      quoted: 'it is planted-known-secret, as said',
      number: 1234567890,
      bytes: Buffer.from('planted-known-secret'),
      pools: new Map([['postgres://somebody:planted-url@db/', 1]]),
      entries: new Map<unknown, unknown>([
        [{}, 1],
        ['token', 'planted-token'],
      ]),
    };
    const attempts = ['planted', 'somebody', 'known', '1234567890', '123', '*', '******', '***, as', '//*', '*@db'];
    const inBase64 = Buffer.from('planted-known-secret').toString('base64').slice(0, 12);
    for (const text of [...attempts, inBase64])
      expect([text, await found(bean, text, { secrets })]).toEqual([text, []]);
    const { hits } = await find(bean, 'p', { secrets });
    expect(JSON.stringify(hits)).not.toMatch(/planted|somebody|1234567890/);
    expect(await found({ stars: '****** is a text' }, '******')).toEqual([]);
    expect(await found(bean, 'as said', { secrets })).toEqual(['value /quoted']);
  });

  it('returns the same hits whatever a masked value is', async () => {
    const secret = fc.string({ minLength: 6, maxLength: 12 });
    const text = fc.string({ minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(anyBean, secret, secret, text, async (bean, one, other, needle) => {
        const withSecret = (password: string) => ({ bean, password, list: [{ dbPassword: password }] });
        expect(await find(withSecret(one), needle)).toEqual(await find(withSecret(other), needle));
      }),
      propertyRuns(50),
    );
  });

  it('returns pointers that lead to the same values as in an outline', async () => {
    await fc.assert(
      fc.asyncProperty(anyBean, fc.string({ minLength: 1, maxLength: 2 }), async (bean, text) => {
        const { hits } = await find({ bean }, text, { limit: 5 });
        for (const { pointer, in: where, text: shown } of hits.filter((hit) => !hit.text.includes('…'))) {
          if (where !== 'value' || pointer.includes('******')) continue;
          expect(outline({ bean }, { at: pointer }).text).toBe(shown);
        }
      }),
      propertyRuns(50),
    );
  });

  it('returns no key and no pointer with a text that another key makes secret', async () => {
    const secret = 'correct-horse-battery';
    const bean = { db: { password: secret }, [`of ${secret}`]: { needle: 1 }, byKey: new Map([[secret, 'needle']]) };
    const { hits } = await find(bean, 'needle');
    expect(hits.map(({ pointer }) => pointer)).toEqual(['/of ******/needle', '/byKey/******']);
    expect((await find(bean, 'horse')).hits).toEqual([]);
    expect(JSON.stringify((await find(bean, 'of ')).hits)).not.toContain(secret);
  });

  it('ends early at its limit, at the end of its budget, and when aborted', async () => {
    const many = Array.from({ length: 1000 }, () => 'needle');
    const few = await find(many, 'needle', { limit: 10 });
    expect([few.hits.length, few.isComplete]).toEqual([10, false]);
    expect(await find(many.slice(0, 10), 'needle', { limit: 10 })).toMatchObject({ isComplete: true });
    expect(await find(many, 'needle', { budget: 0 })).toEqual({ hits: [], isComplete: false });
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(find(many, 'needle', { signal })).rejects.toThrow('enough');
  });

  it('ends with its budget when every entry takes long', async () => {
    let now = 1;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const slow = { get: () => (now += 10), enumerable: true };
    const names = Array.from({ length: 2000 }, (_, index) => `g${index}`);
    const bean = Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, slow]))) as object;
    const { isComplete } = await find(bean, 'needle', { budget: 100 });
    vi.restoreAllMocks();
    expect([isComplete, now]).toEqual([false, 101]);
  });

  it('yields to the event loop', async () => {
    const big = Array.from({ length: 20_000 }, (_, index) => ({ index, text: 'hay' }));
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    // As much as it takes, since a busy machine may let a short time pass in one turn.
    await find(big, 'needle', { budget: 60_000 });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
  });

  it('follows no cycle, enters no proxy, and respects depth', async () => {
    const trap = () => {
      throw new Error('a trap was fired');
    };
    const bean: Record<string, unknown> = {
      proxy: new Proxy({}, { get: trap, ownKeys: trap }),
      a: { b: { needle: 1 } },
    };
    Object.assign(bean, { self: bean });
    expect(await found(bean, 'needle')).toEqual(['key /a/b/needle']);
    expect(await found(bean, 'needle', { depth: 2 })).toEqual([]);
  });
});
