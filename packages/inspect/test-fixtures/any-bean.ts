import fc from 'fast-check';
import { anyCharacter } from '../../../test/support/any-character.ts';

/** Keys that have broken serializers before. */
const awkwardKeys = ['', ' ', 'a b', '\0', '\ud800', '\udc00x', 'a\u0300', '\r\n', '\u2028', '\uffff'].concat(
  '- 1 1a a:b a:b:c : xml xmlns xmlns:a _x_ _x0041_ _x0041 _ _x_x_ $ <&>"\' a/b~c _more ключ 鍵 😀 ٣'.split(' '),
  '__proto__ constructor toString hasOwnProperty length then item'.split(' '),
);

export const anyKey = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('id', 'name', 'uuid:1', 'value', 'nested', 'list') },
  { weight: 3, arbitrary: fc.constantFrom(...awkwardKeys) },
  { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constantFrom('password', 'apiKey', 'tokenizer', 'monkey', 'x-api-key', 'SESSION_SECRET') },
);

const anyText = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: anyCharacter, maxLength: 80 }),
  fc.constantFrom('\ud800', 'a\udc00b', '\0\x1f', '\r\n\t', ']]>', '<!-- -->', 'ü', '￾'),
  fc.constantFrom('https://user:word@host/x@y', '://@'),
  fc.string({ minLength: 50, maxLength: 300 }),
);

const anyNumber = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double(),
  fc.constantFrom(
    0,
    -0,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    1e21,
    5e-324,
    999999999999999,
    1e15,
  ),
);

const anyScalar = fc.oneof(
  anyText,
  anyNumber,
  fc.boolean(),
  fc.bigInt(),
  fc.constantFrom(null, undefined, Symbol('sign'), Symbol.iterator),
  fc.date({ noInvalidDate: false }),
  fc.uint8Array({ maxLength: 20 }),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  fc.webUrl().map((url) => new URL(url)),
  fc.constantFrom(
    /a\/b/giu,
    new WeakMap(),
    new WeakSet(),
    Promise.resolve(1),
    new Proxy({}, {}),
    new Error('no', { cause: 1 }),
  ),
  fc.constantFrom(
    function named() {},
    () => undefined,
    class Shown {},
    new Number(1),
    new String('boxed'),
  ),
);

class Instance {
  readonly id: unknown;
  readonly #hidden: unknown;

  constructor(id: unknown, hidden: unknown) {
    this.id = id;
    this.#hidden = hidden;
  }

  get hidden(): unknown {
    return this.#hidden;
  }

  get self(): unknown {
    return this;
  }

  get broken(): unknown {
    throw new TypeError('broken');
  }

  method(): void {}
}

class Special extends Instance {
  readonly password = 'secret';

  get another(): string {
    return 'another';
  }
}

const withPrototype = (prototype: object | null) => withEntries(() => Object.create(prototype) as object);

function withEntries<T extends object>(create: () => object): (entries: [string, T][]) => object {
  return (entries) => {
    const object = create();
    for (const [key, value] of entries) {
      Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
    }
    return object;
  };
}

/** Any value that a bean may hold, nested at will. */
export const anyBean: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => {
  const value = tie('value');
  const entries = fc.array(fc.tuple(anyKey, value as fc.Arbitrary<object>), { maxLength: 6 });
  return {
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 4, arbitrary: anyScalar },
      { weight: 3, arbitrary: entries.map(withPrototype(Object.prototype)) },
      { weight: 1, arbitrary: entries.map(withPrototype(null)) },
      { weight: 1, arbitrary: entries.map(withEntries(() => () => undefined)) },
      { weight: 2, arbitrary: fc.array(value, { maxLength: 6 }) },
      { weight: 1, arbitrary: fc.sparseArray(value, { maxNumElements: 3, maxLength: 6 }) },
      { weight: 2, arbitrary: fc.array(fc.tuple(anyKey, value), { maxLength: 6 }).map((each) => new Map(each)) },
      { weight: 1, arbitrary: fc.array(fc.tuple(value, value), { maxLength: 4 }).map((each) => new Map(each)) },
      { weight: 1, arbitrary: fc.array(value, { maxLength: 5 }).map((each) => new Set(each)) },
      { weight: 1, arbitrary: fc.tuple(value, value).map(([id, hidden]) => new Instance(id, hidden)) },
      { weight: 1, arbitrary: fc.tuple(value, value).map(([id, hidden]) => new Special(id, hidden)) },
      { weight: 1, arbitrary: value.map((made) => ({ toJSON: () => made })) },
    ),
  };
}).value;
