import assert from 'node:assert/strict';
import { types } from 'node:util';
import type { BeanDescription, BeanSource } from '../../packages/bean-inspection/src/sources/bean-source.ts';

/** A source over beans that were registered for the test and not yet asked for. */
export interface SourceUnderTest<Context> {
  readonly source: BeanSource<Context>;
  /** Passed to `get`. Called for each bean, since beans of request scope are kept by request. */
  readonly newContext: () => Context;
  /** How many beans of the fixture were created so far. */
  readonly created: () => number;
  /** Registers the bean that is `later`. */
  readonly addLater?: () => Promise<void> | void;
  readonly release?: () => Promise<void>;
}

/** The names of the beans of the fixture. Leave out the kinds that the container does not have. */
export interface BeansUnderTest {
  /** A singleton that is created when it is first asked for. */
  readonly lazy?: string;
  readonly request?: string;
  readonly transient?: string;
  /** A singleton whose factory returns a promise. */
  readonly async?: string;
  /** Another name of a bean. */
  readonly alias?: { readonly name: string; readonly target: string };
  /** Several beans that were registered under the same name. */
  readonly duplicates?: readonly string[];
  /** A bean whose factory throws. */
  readonly broken?: string;
  /** A bean that is registered after the start, by `addLater`. */
  readonly later?: string;
  /** Beans that exist from the start, with their values. */
  readonly values: ReadonlyMap<string, unknown>;
  /** What must be said of beans before any of them is asked for. */
  readonly descriptions: Readonly<Record<string, Partial<BeanDescription>>>;
}

export interface BeanSourceFixture<Context = unknown> {
  readonly beans: BeansUnderTest;
  readonly create: () => Promise<SourceUnderTest<Context>> | SourceUnderTest<Context>;
}

export interface BeanSourceCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

const scopes = new Set(['singleton', 'request', 'session', 'transient', 'unknown']);

/** Names that sources are known to find where there is no such bean. */
const neverRegistered = ['', 'no such bean', '__proto__', 'constructor', 'toString', 'then', 'toJSON', 'length'];

/**
 * What every source must do, for a fixture of beans. Each case creates its own source, so that they can run in any order,
 * with any test runner. There is no case for kinds of beans that the fixture does not have.
 */
export function beanSourceCases<Context>({ beans, create }: BeanSourceFixture<Context>): readonly BeanSourceCase[] {
  const sourceCase = (
    name: string,
    check: (underTest: SourceUnderTest<Context>) => Promise<void> | void,
  ): BeanSourceCase => ({
    name,
    async run() {
      const underTest = await create();
      try {
        await check(underTest);
      } finally {
        await underTest.release?.();
      }
    },
  });
  const caseFor = <Kind>(
    kind: Kind | undefined,
    name: string,
    check: (kind: Kind, underTest: SourceUnderTest<Context>) => Promise<void> | void,
  ) => (kind === undefined ? [] : [sourceCase(name, (underTest) => check(kind, underTest))]);

  return [
    sourceCase('describes each bean once, with all that a description has', ({ source }) => {
      const descriptions = source.describe();
      const names = descriptions.map(({ name }) => name);
      assert.deepEqual(names, [...new Set(names)], 'no name comes twice');
      for (const name of namesOf(beans)) assert.ok(names.includes(name), `${name} is among ${names.join(', ')}`);
      for (const description of descriptions) checkDescription(description);
    }),

    sourceCase('says of beans what the fixture expects', ({ source }) => {
      for (const [name, expected] of Object.entries(beans.descriptions)) {
        const description = described(source, name);
        assert.deepEqual({ ...description, ...expected }, description);
      }
    }),

    sourceCase('creates nothing by looking', ({ source, created }) => {
      const before = created();
      const descriptions = source.describe();
      for (const { name } of descriptions) {
        assert.equal(source.has(name), true);
        source.peek(name);
      }
      source.peekAll?.();
      assert.equal(created(), before, 'describe, has, peek and peekAll have created a bean');
      assert.deepEqual(source.describe(), descriptions, 'looking changes no description');
    }),

    sourceCase('knows no names that were never registered', ({ source }) => {
      const registered = new Set(source.describe().map(({ name }) => name));
      for (const name of neverRegistered.filter((each) => !registered.has(each))) {
        assert.equal(source.has(name), false, `there is no bean ${name}`);
        assert.equal(source.peek(name), undefined, `there is no instance of ${name}`);
      }
    }),

    sourceCase('has an instance of exactly the beans that are described as instantiated', ({ source }) => {
      for (const { name, instantiated } of source.describe()) {
        const peeked = source.peek(name);
        assert.equal(peeked !== undefined, instantiated === true, `${name} is instantiated: ${instantiated}`);
        if (peeked !== undefined) assert.ok(Object.hasOwn(peeked, 'value'), `${name} comes as an object with value`);
        if (source.peekAll !== undefined)
          assert.deepEqual(source.peekAll().get(name), peeked, `peekAll gives the same of ${name}`);
      }
    }),

    sourceCase('gives values as they are, also null, undefined and beans with then', async ({ source, newContext }) => {
      for (const [name, value] of beans.values) {
        assert.equal(source.has(name), true, `there is a bean ${name}`);
        assert.equal(described(source, name).instantiated, true, `${name} is instantiated`);
        const peeked = source.peek(name);
        assert.ok(peeked !== undefined && Object.is(peeked.value, value), `peek gives the value of ${name}`);
        const { value: given } = await source.get(name, newContext());
        assert.ok(Object.is(given, value), `get gives the value of ${name}`);
      }
    }),

    ...caseFor(beans.lazy, 'creates a lazy singleton once, when it is asked for', async (name, underTest) => {
      const { source, created } = underTest;
      assert.notEqual(described(source, name).instantiated, true);
      const before = created();
      const { value } = await source.get(name, underTest.newContext());
      assert.ok(created() > before, `get creates ${name}`);
      const after = created();
      assert.equal((await source.get(name, underTest.newContext())).value, value, 'the same is given again');
      assert.equal(created(), after, 'it is created once');
      if (described(source, name).instantiated !== 'unknown') assert.equal(source.peek(name)?.value, value);
    }),

    ...(['request', 'transient'] as const).flatMap((scope) =>
      caseFor(beans[scope], `creates a bean of ${scope} scope anew, and keeps none`, async (name, underTest) => {
        const { source, newContext } = underTest;
        assert.equal(described(source, name).scope, scope);
        const first = await source.get(name, newContext());
        assert.equal(source.peek(name), undefined, 'what was created for one look is not kept');
        assert.notEqual((await source.get(name, newContext())).value, first.value);
        assert.notEqual(described(source, name).instantiated, true);
      }),
    ),

    ...caseFor(beans.async, 'gives what a promise is fulfilled with, not the promise', async (name, underTest) => {
      const { source, newContext } = underTest;
      assert.notEqual(described(source, name).instantiated, true);
      const { value } = await source.get(name, newContext());
      assert.ok(!types.isPromise(value), 'get awaits it');
      const peeked = source.peek(name);
      if (peeked !== undefined) assert.equal(peeked.value, value);
      assert.equal((await source.get(name, newContext())).value, value);
    }),

    ...caseFor(beans.alias, 'gives the same bean by its alias', async ({ name, target }, underTest) => {
      const { source, newContext, created } = underTest;
      const before = created();
      const { dependencies } = described(source, name);
      if (dependencies !== 'unknown') assert.deepEqual(dependencies, [target]);
      assert.equal(created(), before, 'describing the alias does not create its target');
      const { value } = await source.get(name, newContext());
      assert.equal((await source.get(target, newContext())).value, value);
    }),

    ...caseFor(beans.duplicates, 'tells beans apart that share a name', async (names, { source, newContext }) => {
      const values: unknown[] = [];
      for (const name of names) values.push((await source.get(name, newContext())).value);
      assert.equal(new Set(values).size, names.length, 'each has a value of its own');
    }),

    ...caseFor(beans.broken, 'rejects when a bean cannot be created, and goes on', async (name, underTest) => {
      const { source, newContext } = underTest;
      const before = source.describe();
      await assert.rejects(async () => source.get(name, newContext()));
      await assert.rejects(async () => source.get(name, newContext()), 'also the second time');
      assert.deepEqual(
        source.describe().map((each) => each.name),
        before.map((each) => each.name),
      );
    }),

    sourceCase('gives every bean that can be created', async ({ source, newContext }) => {
      for (const { name } of source.describe()) {
        if (name === beans.broken) continue;
        const given = await source.get(name, newContext());
        assert.ok(Object.hasOwn(given, 'value'), `${name} comes as an object with value`);
      }
      for (const description of source.describe()) checkDescription(description);
    }),

    ...caseFor(beans.later, 'shows a bean that is registered later', async (name, { source, addLater }) => {
      const before = source.describe().length;
      assert.equal(source.has(name), false);
      await addLater?.();
      assert.equal(source.has(name), true, 'the list is made anew for each look');
      assert.equal(described(source, name).name, name);
      assert.equal(source.describe().length, before + 1);
    }),
  ];
}

function namesOf({ lazy, request, transient, async, alias, duplicates = [], broken, values }: BeansUnderTest) {
  const names = [lazy, request, transient, async, alias?.name, alias?.target, broken, ...duplicates, ...values.keys()];
  return names.filter((name) => name !== undefined);
}

function described(source: BeanSource<never>, name: string): BeanDescription {
  const description = source.describe().find((each) => each.name === name);
  assert.ok(description, `${name} is described`);
  return description;
}

function checkDescription({ name, type, scope, owner, dependencies, instantiated }: BeanDescription): void {
  for (const text of [name, type, owner]) assert.equal(typeof text, 'string', `${name} has a type and an owner`);
  assert.notEqual(type, '', `${name} has a type`);
  assert.ok(scopes.has(scope), `the scope of ${name} is none of ${[...scopes].join(', ')}`);
  assert.ok([true, false, 'unknown'].includes(instantiated), `${name} is instantiated: ${instantiated}`);
  if (dependencies === 'unknown') return;
  assert.deepEqual(dependencies, [...new Set(dependencies)], `no dependency of ${name} comes twice`);
  for (const dependency of dependencies) assert.equal(typeof dependency, 'string');
}
