import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyBean } from '../../test-fixtures/any-bean.ts';
import { plainly } from '../../test-fixtures/both-ways.ts';
import { propertyRuns } from '../../test-fixtures/property-runs.ts';
import { resolveOptions } from '../inspection-options.ts';
import { JsonWriter } from './json-writer.ts';
import type { Writer } from './writer.ts';
import { XmlWriter } from './xml-writer.ts';

/** What a writer writes when it stops after so many bytes. */
function restOf(writer: Writer, full: number): string {
  writer.full = full;
  const chunks: Buffer[] = [];
  for (let chunk = writer.next(); chunk !== undefined; chunk = writer.next()) chunks.push(Buffer.from(chunk));
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
        const writer = format === 'json' ? new JsonWriter() : new XmlWriter();
        writer.start(bean, options);
        expect(restOf(writer, full)).toBe(plainly(bean, { format, pretty }));
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
