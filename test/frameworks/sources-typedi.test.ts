import 'reflect-metadata';
import { beanSourceCases } from '@jig/bean-inspection/source-suite';
import { fromTypedi } from '@jig/bean-inspection/typedi';
import { Container, Inject, Service, Token } from 'typedi';
import { afterEach, describe, expect, it } from 'vitest';
import { awkwardBeans } from './awkward-beans.ts';
import { checkCreation } from './creation-over-http.ts';

let created = 0;

class Clock {
  readonly made = ++created;
}
class Base {
  inherited: unknown;
}
class Repository extends Base {
  readonly made = ++created;
  readonly clock: unknown;
  readonly settings: unknown;
  custom: unknown;
  constructor(clock: unknown, settings: unknown) {
    super();
    this.clock = clock;
    this.settings = settings;
  }
}
// As decorators and tsc would do it: the bundler of the tests emits no metadata.
Reflect.defineMetadata('design:paramtypes', [Clock, Object, String], Repository);
Inject('settings')(Repository, undefined as never, 1);
Inject(() => Clock)(Base.prototype, 'inherited');
Container.registerHandler({
  object: Repository.prototype as never,
  propertyName: 'custom',
  value: () => ({ made: ++created }),
});

const token = new Token<string>('by token');

/** TypeDI has one container for the whole process. */
function registerFixture(): void {
  Service()(Clock);
  Service()(Repository);
  Container.set({ id: 'timer', transient: true, factory: () => ({ made: ++created }) });
  Container.set({ id: 'database', factory: async () => ({ open: ++created }) });
  Container.set('settings', { password: 'x' });
  Container.set(token, 'token');
  Container.set({ id: 'shared', multiple: true, value: 'first' });
  Container.set({ id: 'shared', multiple: true, factory: () => ({ second: ++created }) });
  Container.set({
    id: 'broken',
    factory: () => {
      throw new Error('out of order');
    },
  });
  for (const [name, value] of awkwardBeans) Container.set(name, value);
}

function removeFixture(): void {
  const internals = Container as unknown as { globalInstance: { services: unknown[] }; instances: unknown[] };
  internals.globalInstance.services = [];
  internals.instances.length = 0;
}

afterEach(removeFixture);

describe('fromTypedi', () => {
  const suite = beanSourceCases({
    beans: {
      lazy: 'Repository',
      transient: 'timer',
      async: 'database',
      duplicates: ['default:shared', 'default:shared#2'],
      broken: 'broken',
      later: 'later',
      values: new Map([...awkwardBeans, ['by token', 'token']]),
      descriptions: {
        Clock: { type: 'Clock', scope: 'singleton', owner: 'default', dependencies: [], instantiated: false },
        Repository: { type: 'Repository', dependencies: ['Clock', 'settings'] },
        timer: { type: 'unknown', dependencies: 'unknown' },
        settings: { type: 'Object', scope: 'singleton', dependencies: [], instantiated: true },
      },
    },
    create() {
      removeFixture();
      registerFixture();
      const addLater = () => void Container.set('later', 1);
      return { source: fromTypedi(Container), newContext: () => undefined, created: () => created, addLater };
    },
  });
  it.each(suite)('$name', ({ run }) => run());

  it('creates nothing when its beans are looked at over HTTP, and one when somebody asks for it', async () => {
    removeFixture();
    registerFixture();
    const source = fromTypedi(Container);
    const kept = ['Repository', 'database'];
    await checkCreation({ source, created: () => created, kept, perUse: ['timer'] });
  });

  it('creates what a constructor and properties need when a bean is asked for', async () => {
    registerFixture();
    const source = fromTypedi(Container);
    const { value } = await source.get('Repository', undefined);
    const clock = source.peek('Clock')?.value;
    expect(clock).toBeInstanceOf(Clock);
    expect(value).toMatchObject({ clock, inherited: clock, settings: { password: 'x' } });
  });

  it('lists the services of other containers with their owner, and creates no container', () => {
    registerFixture();
    Container.of('request 1').set('settings', { other: true });
    const source = fromTypedi(Container);
    expect(source.peek('default:settings')).toEqual({ value: { password: 'x' } });
    expect(source.peek('request 1:settings')).toEqual({ value: { other: true } });
    expect(source.has('settings')).toBe(false);
    expect((Container as unknown as { instances: unknown[] }).instances).toHaveLength(1);
  });

  const services = (...of: unknown[]) => ({ globalInstance: { services: of }, instances: [], handlers: [] });
  it.each([undefined, {}, services({}), { ...services(), handlers: undefined }, { ...services(), instances: [{}] }])(
    'refuses a container of another shape, and names the supported version',
    (container) => {
      expect(() => fromTypedi(container as never)).toThrow(/^fromTypedi needs the class Container of TypeDI 0\.10/);
    },
  );
});
