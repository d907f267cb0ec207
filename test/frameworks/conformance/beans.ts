import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { BeanDescription, BeanSource } from '@jig/bean-inspection';

/** Texts that must not appear in any document. */
export const planted = [
  'planted-password',
  'planted-api-key',
  'planted-in-url',
  'planted-option-secret',
  'planted-iban',
  'planted-token',
];

/** Entries take time and bytes do not: so many of a thousand characters make documents that fit into no buffer on their way. */
const entryCount = 4000;
export const entry = (index: number) => `${index}`.padStart(1000, '.');

/** The same for all mounts, since nobody changes it. */
const big = Array.from({ length: entryCount }, (_, index) => entry(index));

/** What `await` calls, of a bean that has it. */
const promiseMethod = ['th', 'en'].join('');

/** The names that are hard to put into an address. */
export const oddNames = ['ä/b', 'a.b', 'a b', '100%', '日本', 'a?b#c', '<i>', '__proto__', 'x.json'];

const throwing = {
  word: 'throwing',
  get broken(): string {
    throw new Error('a getter of a bean failed');
  },
};

/** Different at every look. */
const moving = {
  word: 'moving',
  get milliseconds(): number {
    return performance.now();
  },
};

/** Whoever asks it for anything, `then` for instance, ends the process unless the error is caught. */
const hostile = new Proxy(
  {},
  {
    get(_target, key) {
      throw new Error(`a bean was asked for ${String(key)}`);
    },
  },
);

/** What a factory may throw that breaks whoever reads it: a logger, or a function of the application. */
export const hostileCauses: ReadonlyMap<string, () => unknown> = new Map<string, () => unknown>([
  ['throws undefined', () => undefined],
  ['throws null', () => null],
  ['throws a text', () => 'planted-password as a text'],
  ['throws a symbol', () => Symbol('thrown')],
  ['throws an object without a stack', () => ({ reason: 'planted-password' })],
  ['throws an error whose message throws', () => withGetter('message')],
  ['throws an error whose stack throws', () => withGetter('stack')],
  ['throws an error whose name throws', () => withGetter('name')],
  [
    'throws what throws when it is inspected',
    () =>
      Object.assign(new Error('inspected'), {
        [inspect.custom]() {
          throw new Error('inspect.custom ran');
        },
        toJSON() {
          throw new Error('toJSON ran');
        },
      }),
  ],
  ['throws a revoked proxy', () => revokedProxy()],
  ['throws what inherits from a revoked proxy', () => Object.create(revokedProxy())],
]);

function withGetter(key: 'name' | 'message' | 'stack'): Error {
  return Object.defineProperty(new Error('planted-password'), key, {
    get() {
      throw new Error(`the getter ${key} ran`);
    },
  });
}

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** The names of beans of which there is one for each request. */
export const perRequest: readonly string[] = ['per use', 'of a request'];

export interface TestedBeans {
  readonly values: ReadonlyMap<string, unknown>;
  /** Those that are created when they are asked for. */
  readonly creators: ReadonlyMap<string, () => unknown>;
  readonly source: BeanSource;
  /** The names of those that were created. */
  readonly created: readonly string[];
  /** How often the method `then` of a bean was called. */
  readonly thenCalls: () => number;
}

export function testedBeans(): TestedBeans {
  const created: string[] = [];
  let thenCalls = 0;
  const values = new Map<string, unknown>([
    ['small', { word: 'small', count: 3, password: 'planted-password', nested: { deep: { deeper: [1, 2, 3] } } }],
    ['settings', { apiKey: 'planted-api-key', url: 'postgres://user:planted-in-url@localhost/db' }],
    ['account', { iban: 'planted-iban', pageToken: 'open', prompt_tokens: 3, tokens: ['planted-token'] }],
    ['quoted', { text: 'the planted-option-secret in a text' }],
    ['nothing', null],
    ['thenable', { word: 'thenable', [promiseMethod]: () => void thenCalls++ }],
    ['throwing', throwing],
    ['moving', moving],
    ['hostile', hostile],
    ['revoked', { last: revokedProxy() }],
    ['closed', { word: 'closed' }],
    ['big', big],
    ...oddNames.map((name): [string, unknown] => [name, { odd: name }]),
  ]);
  const creators = new Map<string, () => unknown>([
    ['lazy', () => ({ word: 'lazy' })],
    ['untouched', () => ({ word: 'untouched' })],
    [
      'reported',
      () => {
        throw new Error('to be reported');
      },
    ],
    [
      'broken',
      () => {
        throw new Error('planted-password was wrong');
      },
    ],
    [
      'rejecting',
      async () => {
        await wait(1);
        throw new Error('planted-password was rejected');
      },
    ],
  ]);
  for (const [name, thrown] of hostileCauses) {
    const fail = () => {
      throw thrown();
    };
    creators.set(name, fail);
    creators.set(`later ${name}`, async () => fail());
  }
  for (const name of ['asked', 'posted.json', 'posted by a browser', ...perRequest])
    creators.set(name, () => ({ word: name.replace(/\.json$/, '') }));
  const made = new Map<string, unknown>();
  const describe = (name: string): BeanDescription => ({
    name,
    type: 'Object',
    scope: perRequest.includes(name) ? 'request' : 'singleton',
    owner: 'application',
    dependencies: name === 'small' ? ['settings'] : [],
    instantiated: values.has(name) || made.has(name),
  });
  const creating = new Map(
    [...creators].map(([name, create]) => [
      name,
      () => {
        created.push(name);
        return create();
      },
    ]),
  );
  const source: BeanSource = {
    describe: () => [...values.keys(), ...creators.keys()].map(describe),
    has: (name) => values.has(name) || creators.has(name),
    peek(name) {
      const holder = values.has(name) ? values : made;
      return holder.has(name) ? { value: holder.get(name) } : undefined;
    },
    async get(name) {
      const value = await creating.get(name)?.();
      if (!perRequest.includes(name)) made.set(name, value);
      return { value };
    },
  };
  return {
    values,
    creators: creating,
    source,
    created,
    thenCalls: () => thenCalls,
  };
}
