import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { BeanRegistry } from './registry.ts';

const request = () => ({}) as FastifyRequest;

describe('BeanRegistry', () => {
  it('lists and describes beans without creating them', async () => {
    const registry = new BeanRegistry();
    let made = 0;
    registry.define('@jig/test', 'lazy', {
      type: 'Lazy',
      create: () => {
        made++;
        return {};
      },
    });
    expect(registry.names()).toEqual(['lazy']);
    expect(registry.peek('lazy')).toBeUndefined();
    const description = { name: 'lazy', type: 'Lazy', scope: 'singleton', owner: '@jig/test', dependencies: [] };
    expect(registry.describe('lazy')).toEqual({ ...description, instantiated: false });
    expect(made).toBe(0);
    const bean = await registry.get('lazy');
    expect(await registry.get('lazy')).toBe(bean);
    expect(registry.peek('lazy')).toBe(bean);
    expect(registry.describe('lazy')).toEqual({ ...description, instantiated: true });
    expect(made).toBe(1);
  });

  it('records dependencies as they are resolved', async () => {
    const registry = new BeanRegistry();
    registry.define('o', 'a', { type: 'A', create: ({ c, b }) => ({ b, c }) });
    registry.define('o', 'b', { type: 'B', create: () => 'b' });
    registry.define('o', 'c', { type: 'C', create: ({ b }) => [b] });
    expect(await registry.get('a')).toEqual({ b: 'b', c: ['b'] });
    expect(registry.describe('a')?.dependencies).toEqual(['b', 'c']);
    expect(registry.describe('c')?.dependencies).toEqual(['b']);
  });

  it('knows declared dependencies before a bean is created, and that a create without parameters has none', () => {
    const registry = new BeanRegistry();
    registry.define('o', 'declared', { needs: ['c', 'b'], create: ({ b, c }) => [b, c] });
    registry.define('o', 'silent', { create: ({ b }) => [b] });
    registry.define('o', 'alone', { create: () => 'alone' });
    registry.define('o', 'perRequest', { scope: 'request', needs: ['b'], create: async ({ b }) => [b] });
    const known = () => registry.names().map((name) => [name, registry.describe(name)?.dependencies]);
    expect(Object.fromEntries(known())).toEqual({
      alone: [],
      declared: ['b', 'c'],
      perRequest: ['b'],
      silent: 'unknown',
    });
    expect(registry.peek('declared')).toBeUndefined();
  });

  it('adds the beans that create reads to the declared dependencies', async () => {
    const registry = new BeanRegistry();
    registry.define('o', 'a', { needs: ['b'], create: ({ c }) => [c] });
    registry.define('o', 'c', { create: () => 'c' });
    await registry.get('a');
    expect(registry.describe('a')?.dependencies).toEqual(['b', 'c']);
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'then', ''])(
    'has no bean %j unless somebody defines it',
    async (name) => {
      const registry = new BeanRegistry();
      expect(registry.describe(name)).toBeUndefined();
      expect(registry.peek(name)).toBeUndefined();
      await expect(registry.get(name)).rejects.toMatchObject({ code: 'JIG_BEAN_UNKNOWN' });
      registry.define('o', name, { type: 'T', create: () => 'mine' });
      expect(registry.names()).toEqual([name]);
      expect(await registry.get(name)).toBe('mine');
      expect(registry.peek(name)).toBe('mine');
    },
  );

  it('names the path to a missing dependency or of a cycle, and works afterwards', async () => {
    const registry = new BeanRegistry();
    registry.define('o', 'a', { type: 'A', create: ({ b }) => b });
    registry.define('o', 'b', { type: 'B', create: ({ c }) => c });
    await expect(registry.get('a')).rejects.toMatchObject({
      code: 'JIG_BEAN_UNKNOWN',
      message:
        'There is no bean a -> b -> c, which no part defines; include the part that defines it, or correct the name.',
      path: 'a -> b -> c',
    });
    registry.define('o', 'c', { type: 'C', create: ({ a }) => a });
    await expect(registry.get('a')).rejects.toMatchObject({
      code: 'JIG_BEAN_CYCLE',
      message: 'The beans need each other in a circle: a -> b -> c -> a; let one of them ask for the other later.',
    });
    registry.define('o', 'd', { type: 'D', create: () => 'd' });
    expect(await registry.get('d')).toBe('d');
  });

  it('tries again to create a bean whose factory threw', async () => {
    const registry = new BeanRegistry();
    let tries = 0;
    registry.define('o', 'shaky', {
      type: 'Shaky',
      create: () => {
        if (++tries === 1) throw new Error('not yet');
        return 'there';
      },
    });
    await expect(registry.get('shaky')).rejects.toThrow('not yet');
    expect(registry.describe('shaky')?.instantiated).toBe(false);
    expect(await registry.get('shaky')).toBe('there');
  });

  it('rejects a second bean of the same name', () => {
    const registry = new BeanRegistry();
    registry.define('one', 'a', { type: 'A', create: () => 1 });
    expect(() => registry.define('two', 'a', { type: 'A', create: () => 2 })).toThrow(
      'The bean a is defined by both one and two; rename one of them, or leave one of these parts out.',
    );
  });

  it('creates a request-scoped bean once per request, and never outside one', async () => {
    const registry = new BeanRegistry();
    let made = 0;
    registry.define('o', 'perRequest', { type: 'R', scope: 'request', create: (_, own) => ({ own, number: ++made }) });
    registry.define('o', 'user', {
      type: 'U',
      scope: 'request',
      create: ({ perRequest, shared }) => ({ perRequest, shared }),
    });
    registry.define('o', 'shared', { type: 'S', create: () => ({}) });
    const first = request();
    const user = (await registry.get('user', first)) as {
      perRequest: { own: unknown; number: number };
      shared: object;
    };
    expect(user.perRequest.own).toBe(first);
    expect(await registry.get('perRequest', first)).toBe(user.perRequest);
    expect(await registry.get('perRequest', request())).toMatchObject({ number: 2 });
    expect(await registry.get('shared')).toBe(user.shared);
    expect(registry.describe('perRequest')).toMatchObject({ scope: 'request', instantiated: false });
    await expect(registry.get('perRequest')).rejects.toMatchObject({ code: 'JIG_BEAN_NEEDS_REQUEST' });
  });

  it('rejects a singleton that depends on a request-scoped bean', async () => {
    const registry = new BeanRegistry();
    registry.define('o', 'single', { type: 'S', create: ({ perRequest }) => perRequest });
    registry.define('o', 'perRequest', { type: 'R', scope: 'request', create: () => 1 });
    registry.define('o', 'outer', { type: 'O', scope: 'request', create: ({ single }) => single });
    await expect(registry.get('outer', request())).rejects.toMatchObject({
      code: 'JIG_BEAN_NEEDS_REQUEST',
      path: 'outer -> single -> perRequest',
    });
  });

  it('says that a bean is missing because its add-on is off', async () => {
    const registry = new BeanRegistry();
    registry.explainMissing(['pool'], 'the add-on database is off: it is excluded');
    registry.define('o', 'page', { type: 'P', create: ({ pool }) => pool });
    await expect(registry.get('page')).rejects.toMatchObject({
      code: 'JIG_BEAN_UNKNOWN',
      message:
        'There is no bean page -> pool, since the add-on database is off: it is excluded; turn it on, or leave out what needs it.',
    });
  });

  it('reports the class as the type of a bean once it is created', async () => {
    class Orders {}
    const registry = new BeanRegistry();
    registry.define('o', 'one', { create: () => new Orders() });
    registry.define('o', 'named', { type: 'Named', create: () => new Orders() });
    const types = () => ['one', 'named'].map((name) => registry.describe(name)?.type);
    expect(types()).toEqual(['unknown', 'Named']);
    await Promise.all(['one', 'named'].map((name) => registry.get(name)));
    expect(types()).toEqual(['Orders', 'Named']);
  });

  it('returns the replacement of a bean, neither starts nor stops it, and describes it as replaced', async () => {
    const registry = new BeanRegistry({ pool: 'fake', other: 'fake too' });
    registry.define('o', 'pool', { type: 'Pool', create: () => 'real', start: () => {}, stop: () => {} });
    registry.define('o', 'page', { type: 'Page', create: ({ pool }) => [pool] });
    registry.instantiateStartable();
    expect(registry.describe('pool')).toMatchObject({ replaced: true, instantiated: false });
    expect(await registry.get('page')).toEqual(['fake']);
    expect(registry.describe('page')).not.toHaveProperty('replaced');
    expect(await registry.get('other')).toBe('fake too');
    expect(registry.describe('other')).toMatchObject({ replaced: true });
  });
});
