import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { shown, written } from '../test-fixtures/shown.ts';
import { inspect } from './inspect.ts';

it.each([
  [{ depth: 0 }, 'depth', 'a whole number from 1'],
  [{ limit: 1.5 }, 'limit', 'a whole number from 1'],
  [{ text: 3 }, 'text', 'a whole number from 64'],
  [{ getters: 'all' as 'run' }, 'getters', '"run", "own" or "none"'],
  [{ glance: true, format: 'xml' as const }, 'glance', 'false in XML'],
])('the option %o is rejected with a message that contains what is valid', (options, option, expected) => {
  const error = { code: 'JIG_INSPECTION_OPTION_INVALID', option, expected };
  expect(() => inspect(1, options)).toThrow(expect.objectContaining(error));
  expect(() => inspect(1, options)).toThrow(`${option} must be ${expected}`);
});

describe('functions', () => {
  it('are shown as listeners of an emitter, one or more for an event', () => {
    const emitter = new EventEmitter();
    emitter.on('open', function greet() {});
    emitter.on('data', function first() {});
    emitter.on('data', function second() {});
    const events = { open: '[Function greet]', data: ['[Function first]', '[Function second]'] };
    expect(shown(emitter)).toMatchObject({ _events: events, _eventsCount: 2 });
    expect(written(emitter, { at: '/_events/open' })).toBe('"[Function greet]"');
  });

  it('are left out of other objects, and of modules', async () => {
    expect(shown({ method() {}, a: { arrow: () => 1, b: 1 } })).toEqual({ a: { b: 1 } });
    expect(shown(await import('./objects/markers.ts'))).not.toHaveProperty('functionMarker');
    expect(shown(await import('node:path'))).not.toHaveProperty('join');
  });
});

describe('a class that changes', () => {
  it('shows getters and toJSON that are added later', () => {
    class Growing {
      a = 1;
    }
    expect(shown(new Growing())).toEqual({ a: 1 });
    Object.defineProperty(Growing.prototype, 'b', { get: () => 2, configurable: true });
    expect(shown(new Growing())).toEqual({ a: 1, b: 2 });
    Object.defineProperty(Growing.prototype, 'toJSON', { value: () => 'json' });
    expect(shown(new Growing())).toBe('json');
  });

  it('shows a method that becomes a getter, and no getter that becomes a method', () => {
    class Turning {
      a = 1;
      method() {
        return 'called';
      }
      get getter() {
        return 'read';
      }
    }
    expect(shown(new Turning())).toEqual({ a: 1, getter: 'read' });
    Object.defineProperty(Turning.prototype, 'method', { get: () => 'read', configurable: true });
    Object.defineProperty(Turning.prototype, 'getter', { value: () => 'called' });
    expect(shown(new Turning())).toEqual({ a: 1, method: 'read' });
  });

  it('shows no enumerable properties of its prototype as those of its objects', () => {
    class Base {
      a = 1;
    }
    Object.defineProperty(Base.prototype, 'length', { value: 3, enumerable: true });
    expect(shown([new Base(), Object.assign(new Base(), { b: 2 })])).toEqual([{ a: 1 }, { a: 1, b: 2 }]);
  });

  it('shows the toJSON of a map or of all maps, also when maps were shown before', () => {
    const plain = new Map([['a', new Map([['b', 1]])]]);
    const own = Object.assign(new Map([['a', 1]]), { toJSON: () => 'own' });
    expect(shown([plain, own])).toEqual([{ a: { b: 1 } }, 'own']);
    Object.defineProperty(Map.prototype, 'toJSON', { value: () => 'all', configurable: true });
    try {
      expect(shown(plain)).toBe('all');
    } finally {
      Reflect.deleteProperty(Map.prototype, 'toJSON');
    }
    expect(shown(plain)).toEqual({ a: { b: 1 } });
  });

  it('does no harm when the prototype of an object is replaced between two chunks', async () => {
    class Big {
      list = Array.from({ length: 20_000 }, (_, index) => `item ${index}`);
      after = 1;
      get last(): string {
        return 'last';
      }
    }
    const trap = new Proxy(
      {},
      { get: () => expect.unreachable(), getOwnPropertyDescriptor: () => expect.unreachable() },
    );
    const big = new Big();
    const chunks: Buffer[] = [];
    for await (const chunk of inspect(big)) {
      if (chunks.push(chunk) === 1) Object.setPrototypeOf(big, trap);
    }
    expect(chunks.length).toBeGreaterThan(1);
    // The class is that of the time when the object was opened.
    const text = Buffer.concat(chunks).toString();
    expect(text.slice(-38)).toBe('"item 19999"],"after":1,"last":"last"}');
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['list', 'after', 'last']);
  });
});
