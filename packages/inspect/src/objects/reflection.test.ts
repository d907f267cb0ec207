import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { beanProperties, errorProperties } from './classes.ts';
import {
  className,
  dataProperty,
  findProperty,
  functionName,
  getterOf,
  inheritsFrom,
  ownNames,
  ownProperty,
  typeName,
  visiblePrototype,
} from './reflection.ts';

const throwing = () => {
  throw new Error('a trap was fired');
};
const proxy = new Proxy({}, { get: throwing, getPrototypeOf: throwing, getOwnPropertyDescriptor: throwing });

class Base {
  b = 1;
  get first() {
    return 1;
  }
  get both() {
    return 1;
  }
  method() {
    return 1;
  }
  set written(_: number) {
    throwing();
  }
}

class Derived extends Base {
  a = 2;
  override get both() {
    return 2;
  }
  get last() {
    return 3;
  }
}

const inheriting = (prototype: object | null) => Object.create(prototype) as object;

describe('what an object inherits from', () => {
  it('ends at a proxy', () => {
    expect(visiblePrototype(new Derived())).toBe(Derived.prototype);
    expect(visiblePrototype(inheriting(proxy))).toBeNull();
    expect(visiblePrototype(inheriting(null))).toBeNull();
    expect(inheritsFrom(new Derived(), (prototype) => prototype === Base.prototype)).toBe(true);
    expect(inheritsFrom(new Derived(), (prototype) => prototype === Map.prototype)).toBe(false);
    expect(inheritsFrom(Base.prototype, (prototype) => prototype === Base.prototype)).toBe(false);
    expect(inheritsFrom(inheriting(proxy), () => true)).toBe(false);
  });

  it('has properties that are listed without reading them', () => {
    const bean = new Derived();
    expect(findProperty(bean, 'a')?.value).toBe(2);
    expect(getterOf(findProperty(bean, 'first'))).toBeTypeOf('function');
    expect(findProperty(bean, 'missing')).toBeUndefined();
    expect(findProperty(inheriting(proxy), 'a')).toBeUndefined();
    expect([dataProperty(bean, 'a'), dataProperty(bean, 'first'), dataProperty(bean, 'x')]).toEqual([
      2,
      undefined,
      undefined,
    ]);
  });
});

describe('an own property that cannot be asked for', () => {
  it('is a getter that throws the same', () => {
    const { proxy: revoked, revoke } = Proxy.revocable({}, {});
    revoke();
    const property = ownProperty(revoked, 'a');
    expect(property).toMatchObject({ enumerable: true, configurable: true });
    expect(() => property?.get?.()).toThrow(TypeError);
    expect(ownProperty({ a: 1 }, 'a')?.value).toBe(1);
    expect(ownProperty({}, 'a')).toBeUndefined();
  });

  it('does not keep the others from being listed', () => {
    expect(ownNames({ a: 1, b: 2 })).toEqual(['a', 'b']);
    const unlistable = new Proxy({ a: 1 }, { getOwnPropertyDescriptor: throwing });
    expect(ownNames(unlistable)).toEqual(['a']);
  });
});

describe('a bean shows', () => {
  it('its own properties, then the getters of its classes, the base class first', () => {
    expect(beanProperties(new Derived())).toEqual(['b', 'a', 'first', 'both', 'last']);
    expect(beanProperties({ a: 1 })).toEqual(['a']);
  });

  it('a getter once that has stored its result on the object', () => {
    const bean = Object.defineProperty(new Derived(), 'last', { value: 3, enumerable: true });
    expect(beanProperties(bean)).toEqual(['b', 'a', 'last', 'first', 'both']);
    const hidden = Object.defineProperty(new Derived(), 'last', { value: 3 });
    expect(beanProperties(hidden)).toEqual(['b', 'a', 'first', 'both', 'last']);
  });

  it('no getter of Object.prototype, of this realm or another, and no constructor', () => {
    expect(beanProperties(runInNewContext('({ a: 1 })') as object)).toEqual(['a']);
    const prototype = Object.defineProperty(inheriting(null), 'constructor', { get: throwing });
    expect(beanProperties(inheriting(prototype))).toEqual([]);
    const other = Object.defineProperties(inheriting(null), { ['__proto__']: { get: () => 1 } });
    expect(beanProperties(inheriting(other))).toEqual(['__proto__']);
  });
});

describe('an error shows', () => {
  it('name and message first, then its other properties', () => {
    const cause = new Error('cause');
    const error = Object.assign(new TypeError('no', { cause }), { path: '/a', code: 'E_NO', stack: 'at' });
    expect(errorProperties(error, false)).toEqual(['name', 'message', 'code', 'cause', 'path']);
    expect(errorProperties(error, true)).toEqual(['name', 'message', 'code', 'cause', 'path', 'stack']);
    expect(errorProperties(new AggregateError([cause]), false)).toEqual(['name', 'message', 'errors']);
    expect(errorProperties(new Error('no'), true)).toEqual(['name', 'message', 'stack']);
    expect(errorProperties(inheriting(null), false)).toEqual(['name', 'message']);
  });
});

describe('the name', () => {
  it.each([
    ['an instance', new Derived(), 'Derived'],
    ['a plain object', {}, 'Object'],
    ['an object of no class', inheriting(null), 'Object'],
    ['an object of an anonymous class', new (class {})(), 'Object'],
    ['an object that calls itself something else', { constructor: Map }, 'Object'],
    ['a proxy', proxy, 'Proxy'],
    ['what inherits from a proxy', inheriting(proxy), 'Object'],
    ['what inherits from a prototype without a constructor', inheriting(inheriting(Base.prototype)), 'Base'],
    ['what has a constructor that is no function', inheriting({ constructor: 'Fake' }), 'Object'],
    ['what has a constructor that is a proxy', inheriting({ constructor: new Proxy(Base, {}) }), 'Object'],
  ])('of the class of %s', (_, object, name) => {
    expect([className(object), typeName(object)]).toEqual([name, name]);
  });

  it.each([
    [null, 'Null'],
    [undefined, 'Null'],
    [() => 1, 'Function'],
    [new Proxy(() => 1, {}), 'Proxy'],
    [1n, 'BigInt'],
    [false, 'Boolean'],
    [0, 'Number'],
    ['', 'String'],
    [Symbol('s'), 'Symbol'],
  ])('of the type of a primitive', (value, name) => {
    expect(typeName(value)).toBe(name);
  });

  it('of a function, unless it hides it', () => {
    expect(functionName(function named() {})).toBe('named');
    expect(functionName(() => undefined)).toBe('');
    expect(functionName(new Proxy(throwing, {}))).toBe('');
    expect(functionName(Object.defineProperty(() => 1, 'name', { get: throwing }))).toBe('');
    expect(functionName(Object.defineProperty(() => 1, 'name', { value: 5 }))).toBe('');
  });
});
