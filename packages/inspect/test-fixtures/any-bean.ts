import fc from 'fast-check';
import { anyCharacter } from '../../../test/support/any-character.ts';

/** Keys that have broken serializers before. */
const awkwardKeys = [
  '',
  ' ',
  '-',
  '1',
  '1a',
  'a b',
  'a:b',
  'a:b:c',
  ':',
  'xml',
  'xmlns',
  'xmlns:a',
  '_x_',
  '_x0041_',
  '_x0041',
  '_',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
  'then',
  'item',
  '\0',
  '\ud800',
  '\udc00x',
  'ключ',
  '鍵',
  '😀',
  'a\u0300',
  '<&>"\'',
  '\r\n',
  '_x_x_',
  '\u2028',
  'a/b~c',
  '٣',
  '\uffff',
  '$',
  '_more',
];

export const anyKey = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('id', 'name', 'uuid:1', 'value', 'nested', 'list') },
  { weight: 3, arbitrary: fc.constantFrom(...awkwardKeys) },
  { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constantFrom('password', 'apiKey', 'tokenizer', 'monkey', 'x-api-key', 'SESSION_SECRET') },
);

const anyText = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: anyCharacter, maxLength: 80 }),
  fc.constantFrom(
    '\ud800',
    'a\udc00b',
    '\0\x1f',
    '\r\n\t',
    ']]>',
    '<!-- -->',
    'https://user:word@host/x@y',
    '://@',
    'ü',
    '￾',
  ),
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

/** Instances of a class that changes between documents, and how often each of its getters was called. */
export class ChangingClass {
  readonly calls: Record<string, number> = {};
  readonly #base = class Base {};
  readonly #holders: readonly object[];
  readonly bean: object;

  constructor() {
    class Changing extends this.#base {
      readonly id = 1;
    }
    const instances = Array.from({ length: 4 }, () => new Changing());
    this.#holders = [Changing.prototype, this.#base.prototype, instances[1] as object];
    this.bean = Object.assign(new Changing(), { instances });
  }

  apply({ holder, key, kind, isEnumerable }: PrototypeChange): void {
    const object = this.#holders[holder] as object;
    const count = () => {
      this.calls[String(key)] = (this.calls[String(key)] ?? 0) + 1;
      return `${String(key)} of ${holder}`;
    };
    const properties: Record<PrototypeChange['kind'], PropertyDescriptor> = {
      getter: { get: count },
      setter: { set: () => undefined },
      method: { value: () => 'called' },
      data: { value: holder },
      iterator: { value: () => [holder, 'item'].values() },
      class: { value: class Renamed {} },
      none: {},
    };
    if (kind === 'none') Reflect.deleteProperty(object, key);
    else Object.defineProperty(object, key, { ...properties[kind], enumerable: isEnumerable, configurable: true });
  }

  /** Puts a class with a getter and a method between the others, or takes it out again. */
  insert(isThere: boolean): void {
    class Between extends this.#base {
      get between(): string {
        return 'between';
      }
      later(): number {
        return 1;
      }
    }
    Object.setPrototypeOf(this.#holders[0] as object, isThere ? Between.prototype : this.#base.prototype);
  }
}

export interface PrototypeChange {
  /** The class, its base class, or one of the instances. */
  readonly holder: number;
  readonly key: PropertyKey;
  readonly kind: 'getter' | 'setter' | 'method' | 'data' | 'iterator' | 'class' | 'none';
  readonly isEnumerable: boolean;
}

const changingKeys = ['b', 'id', 'length', 'toJSON', 'constructor', Symbol.iterator, Symbol.toStringTag] as const;

export const anyPrototypeChange: fc.Arbitrary<PrototypeChange | boolean> = fc.oneof(
  { weight: 1, arbitrary: fc.boolean() },
  {
    weight: 9,
    arbitrary: fc.record({
      holder: fc.constantFrom(0, 0, 1, 2),
      // Often the same one, which then changes from a getter to a method and back.
      key: fc.oneof(fc.constant('a'), fc.constantFrom<PropertyKey>(...changingKeys)),
      kind: fc.constantFrom('getter', 'getter', 'setter', 'method', 'method', 'data', 'iterator', 'class', 'none'),
      isEnumerable: fc.boolean(),
    }),
  },
);
