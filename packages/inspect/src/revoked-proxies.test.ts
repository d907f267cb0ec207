import { describe, expect, it } from 'vitest';
import { find } from './find.ts';
import { readPrivateFields as privateFields } from './inner-session.ts';
import { inspect } from './inspect.ts';
import { Masking } from './masking/masking.ts';
import { outline } from './outline.ts';
import { glance } from './views/glance.ts';
import { quantityAt } from './views/quantity.ts';
import { stateLine } from './views/state-line.ts';

/** As a store has one that kept a draft of Immer. */
function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

class Store {
  readonly count = 1;
  readonly last = revoked({});
  readonly #draft = revoked([]);
  isSame = (draft: unknown) => draft === this.#draft;
}

const names = ['last', 'tokens', 'password', 'value', 'values', 'args', 'params', 'd', 'k', 'cause'];

describe.each([
  ['an object', revoked({})],
  ['a list', revoked([])],
  ['a function', revoked(() => 1)],
])('a proxy of %s that was revoked', (_what, proxy) => {
  const beans: readonly object[] = [
    new Store(),
    [proxy, 'needle'],
    new Map<unknown, unknown>([['needle', proxy]]),
    new Map<unknown, unknown>([[proxy, proxy]]),
    new Set([proxy]),
    Object.assign(new Error('needle'), { errors: [proxy], cause: proxy }),
    { name: 'auth', fn: 'auth', kty: 'EC', ...Object.fromEntries(names.map((name) => [name, proxy])) },
    proxy,
  ];

  it('is a marker wherever it is, and does not break the rest', async () => {
    for (const bean of beans) {
      const options = { privateFields };
      expect(() => JSON.parse(inspect(bean, options).toString())).not.toThrow();
      expect(inspect(bean, { ...options, format: 'xml' }).toString()).toContain('<');
      expect(outline(bean, { ...options, levels: 3 }).kind).not.toBe('threw');
      expect(await find({ bean, needle: 1 }, 'needle', options)).toMatchObject({ isComplete: true });
      expect(stateLine(bean, options)).not.toContain('Threw');
      expect(() => glance(bean)).not.toThrow();
    }
  });

  it('can be requested by its pointer', () => {
    expect(inspect({ proxy }, { at: '/proxy' }).toString()).toBe('"[Proxy]"');
    expect(outline({ proxy }, { at: '/proxy' }).text).toBe('[Proxy]');
    const options = { masking: new Masking(), getters: 'run' } as const;
    expect(quantityAt({ proxy }, '/proxy', options)).toMatchObject({ why: 'no number' });
  });
});
