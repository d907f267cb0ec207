import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyBean } from '../../test-fixtures/any-bean.ts';
import { plainly } from '../../test-fixtures/both-ways.ts';
import { propertyRuns } from '../../test-fixtures/property-runs.ts';
import { resolveOptions } from '../inspection-options.ts';
import { JsonWriter } from './json-writer.ts';
import type { Writer } from './writer.ts';
import { XmlWriter } from './xml-writer.ts';

/** Used again and again, as documents do. */
const writers = { json: new JsonWriter(), xml: new XmlWriter() };

/** What a writer writes when it stops after so many bytes. */
function restOf(writer: Writer, full: number, between?: () => void): string {
  writer.full = full;
  const chunks: Buffer[] = [];
  for (let chunk = writer.next(); chunk !== undefined; chunk = writer.next()) {
    chunks.push(Buffer.from(chunk));
    between?.();
  }
  return Buffer.concat(chunks).toString();
}

it('a writer writes the same when it stops after every few bytes', () => {
  fc.assert(
    fc.property(
      anyBean,
      fc.constantFrom('json' as const, 'xml' as const),
      fc.integer({ min: 1, max: 60 }),
      fc.boolean(),
      (any, format, full, pretty) => {
        class Base {
          a = 1;
          get g() {
            return [1, { b: 2 }];
          }
        }
        class Sub extends Base {
          c = { d: [any] };
          get g2() {
            return 'x';
          }
        }
        const bean = [any, new Sub(), { x: new Sub(), m: new Map([['k', new Sub()]]) }];
        const options = resolveOptions({ format, pretty });
        const writer = writers[format];
        writer.start(bean, options);
        expect(restOf(writer, full)).toBe(plainly(bean, { format, pretty }));
        writer.abandon();
      },
    ),
    propertyRuns(150),
  );
});

it('a document is well-formed when it is cut after any number of chunks', () => {
  fc.assert(
    fc.property(anyBean, fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 12 }), (any, full, cutAfter) => {
      const writer = new JsonWriter();
      writer.start([any, { any }, new Map([['k', any]])], resolveOptions({}));
      writer.full = full;
      const chunks: Buffer[] = [];
      for (let chunk = writer.next(); chunk !== undefined; chunk = writer.next()) {
        if (chunks.push(Buffer.from(chunk)) > cutAfter) writer.cut();
      }
      JSON.parse(Buffer.concat(chunks).toString());
    }),
    propertyRuns(150),
  );
});

it.each(['cut', 'abandoned'])('a document shows all after one that was %s while it passed over entries', (end) => {
  class Bean {
    a = 1;
    b = 2;
    get c() {
      return 3;
    }
  }
  const writer = new JsonWriter();
  writer.start([1, 2, 3], resolveOptions({ from: 2 }));
  if (end === 'cut') writer.cut();
  else writer.full = -1;
  writer.next();
  writer.abandon();
  writer.start(new Bean(), resolveOptions({}));
  expect(restOf(writer, 1)).toBe('{"a":1,"b":2,"c":3}');
});

describe.each(['json', 'xml'] as const)('a writer of %s has room for long keys', (format) => {
  const make = () => (format === 'json' ? new JsonWriter() : new XmlWriter());
  const nested = (key: string, depth: number, end: unknown) => {
    let value = end;
    for (let level = 0; level < depth; level++) value = { [key]: value };
    return value;
  };
  const keys = [60, 80, 200].map((length) => '\ud800'.repeat(length));
  // Keys that were met before are kept as they are written.
  for (const key of keys) {
    const writer = make();
    writer.start(nested(key, 3, 1), resolveOptions({ format }));
    writer.next();
  }

  it.each(keys)('of nested objects behind what nearly fills its output', (key) => {
    const ones = Array.from({ length: format === 'json' ? 32_750 : 4679 }, () => 1);
    const bean = { ones, deep: nested(key, 60, { end: 10n ** 9999n }) };
    const writer = make();
    writer.start(bean, resolveOptions({ format }));
    expect(restOf(writer, writer.full)).toBe(plainly(bean, { format }));
  });

  it.each(keys)('of nested objects that are cut', (key) => {
    const writer = make();
    writer.start(nested(key, 500, [1, 2]), resolveOptions({ format, depth: 1000 }));
    let chunks = 0;
    const cut = () => (++chunks === 5 ? writer.cut() : undefined);
    expect(restOf(writer, writer.full, cut)).toMatch(format === 'json' ? /\}$/ : /<\/Object>$/);
  });
});

const changes: Readonly<Record<string, (object: object) => void>> = {
  removed: (object) => void Reflect.deleteProperty(object, 'changed'),
  redefined: (object) => void Reflect.defineProperty(object, 'changed', { get: () => 'got', enumerable: true }),
  hidden: (object) => void Reflect.defineProperty(object, 'changed', { enumerable: false }),
  added: (object) => void Reflect.set(object, 'added', 1),
  frozen: (object) => void Object.freeze(object),
  withoutClass: (object) => void Reflect.setPrototypeOf(object, null),
  ofProxy: (object) => void Reflect.setPrototypeOf(object, new Proxy({}, {})),
};

it('a document of a bean that changes meanwhile shows all that does not change', () => {
  class Shown {
    before = { list: [1, 2] };
    changed = 'a';
    after = 'b';
    get got() {
      return 'c';
    }
  }
  const anyChange = fc.tuple(fc.nat(3), fc.constantFrom(...Object.keys(changes)));
  fc.assert(
    fc.property(fc.array(anyChange, { maxLength: 12 }), fc.integer({ min: 1, max: 60 }), (all, full) => {
      const bean = [
        new Shown(),
        Object.assign({}, new Shown()),
        new Shown(),
        Object.assign(Object.create(null), new Shown()),
      ];
      const left = [...all];
      writers.json.start(bean, resolveOptions({}));
      const text = restOf(writers.json, full, () => {
        const [index, name] = left.shift() ?? [0, ''];
        changes[name]?.(bean[index] as object);
      });
      writers.json.abandon();
      const shown = { before: { list: [1, 2] }, after: 'b' };
      expect(JSON.parse(text)).toEqual(bean.map(() => expect.objectContaining(shown) as unknown));
    }),
    propertyRuns(150),
  );
});
