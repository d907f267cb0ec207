import assert from 'node:assert/strict';
import { types } from 'node:util';
import { glance, viewOf } from '../src/views/glance.ts';
import type { View } from '../src/views/view.ts';

export interface ViewFixture<T extends object> {
  readonly view: View<T>;
  /** A live object of the class. */
  readonly create: () => Promise<T> | T;
  readonly release?: (value: T) => Promise<void> | void;
}

export interface ViewCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** What every view must do, tested with a live object, in any test runner and order. */
export function viewCases<T extends object>({ view, create, release }: ViewFixture<T>): readonly ViewCase[] {
  const viewCase = (name: string, check: (value: T) => Promise<void> | void): ViewCase => ({
    name,
    async run() {
      const value = await create();
      try {
        await check(value);
      } finally {
        await release?.(value);
      }
    },
  });
  const readings = Object.entries(view.readings ?? {});

  return [
    viewCase('recognises the object', (value) => assert.ok(view.matches(value))),
    viewCase('takes no other object for one of its own', () => {
      const others: object[] = [{}, [], new Map(), Object.create(null), new Date(), () => undefined, new Error('no')];
      for (const other of others) assert.ok(!view.matches(other));
    }),
    viewCase('runs no code of the object to recognise it', () => {
      const hostile = new Proxy({}, { getOwnPropertyDescriptor: () => undefined });
      assert.equal(viewOf(hostile, [view]), undefined);
    }),
    viewCase('reads each value, and no promise', (value) => {
      for (const [name, reading] of readings) {
        if (reading.ask === true) continue;
        assert.ok(!types.isPromise(reading.read(value)), `${name} is a promise, which only \`ask\` allows`);
      }
      const faults = glance(value, { views: [view] })?.readings.filter(({ fault }) => fault !== undefined);
      assert.deepEqual(faults, []);
    }),
    viewCase('changes nothing by reading, and opens nothing', (value) => {
      const before = traces(value);
      const first = look(view, value);
      assert.deepEqual(traces(value), before);
      assert.deepEqual(look(view, value), first);
      assert.deepEqual(traces(value), before);
    }),
  ];
}

function look<T extends object>(view: View<T>, value: T): unknown {
  view.content?.(value);
  const shown = glance(value, { views: [view] });
  // A share of time that was worked moves by itself.
  return shown?.readings.filter(
    ({ unit, value: each }) => unit !== '%' && (typeof each !== 'number' || Number.isInteger(each)),
  );
}

/** What a reading could change: properties, listeners and open resources. */
function traces(value: object): unknown {
  const listeners: unknown = Object.getOwnPropertyDescriptor(value, '_eventsCount')?.value;
  return { keys: Reflect.ownKeys(value).map(String), listeners, open: process.getActiveResourcesInfo().sort() };
}
