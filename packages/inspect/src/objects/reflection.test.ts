import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { beanProperties, errorProperties } from './classes.ts';
import { className, findProperty, functionName, inheritsFrom, ownNames, ownProperty, typeName } from './reflection.ts';

const throwing = () => {
  throw new Error('a trap was fired');
};
const proxy = new Proxy({}, { get: throwing, getPrototypeOf: throwing, getOwnPropertyDescriptor: throwing });
const inheriting = (prototype: object | null) => Object.create(prototype) as object;

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

const withOwn = (property: PropertyDescriptor) => Object.defineProperty(new Derived(), 'last', property);
const withGetter = (name: string) =>
  inheriting(Object.defineProperties(inheriting(null), { [name]: { get: throwing } }));

describe('own properties', () => {
  it.each<[string, object, string]>([
    [
      'of an instance come first, then getters of its classes, the base class first',
      new Derived(),
      'b a first both last',
    ],
    ['hide getters of the same name', withOwn({ value: 3, enumerable: true }), 'b a last first both'],
    ['that are not enumerable hide nothing', withOwn({ value: 3 }), 'b a first both last'],
    ['of another realm are shown without getters of Object.prototype', runInNewContext('({ a: 1 })') as object, 'a'],
    ['are shown without the getter `constructor`', withGetter('constructor'), ''],
    ['are shown with a getter `__proto__` of the prototype', withGetter('__proto__'), '__proto__'],
  ])('%s', (_, object, names) => {
    expect(beanProperties(object).join(' ')).toBe(names);
  });

  it('of an error begin with its name and message', () => {
    const cause = new Error('cause');
    const error = Object.assign(new TypeError('no', { cause }), { path: '/a', code: 'E_NO', stack: 'at' });
    expect(errorProperties(error, false)).toEqual(['name', 'message', 'code', 'cause', 'path']);
    expect(errorProperties(error, true)).toEqual(['name', 'message', 'code', 'cause', 'path', 'stack']);
    expect(errorProperties(new AggregateError([cause]), false)).toEqual(['name', 'message', 'errors']);
  });

  it('whose descriptor throws are getters that throw the same, and do not hide others', () => {
    const { proxy: revoked, revoke } = Proxy.revocable({}, {});
    revoke();
    const property = ownProperty(revoked, 'a');
    expect(property).toMatchObject({ enumerable: true, configurable: true });
    expect(() => property?.get?.()).toThrow(TypeError);
    expect(ownNames(new Proxy({ a: 1 }, { getOwnPropertyDescriptor: throwing }))).toEqual(['a']);
  });
});

it('a proxy hides the prototypes behind it', () => {
  expect(inheritsFrom(new Derived(), (prototype) => prototype === Base.prototype)).toBe(true);
  expect(inheritsFrom(Base.prototype, (prototype) => prototype === Base.prototype)).toBe(false);
  expect(inheritsFrom(inheriting(proxy), () => true)).toBe(false);
  expect(findProperty(inheriting(proxy), 'a')).toBeUndefined();
});

describe('the name', () => {
  it.each([
    ['an instance', new Derived(), 'Derived'],
    ['a plain object', {}, 'Object'],
    ['an object without a prototype', inheriting(null), 'Object'],
    ['an object of an anonymous class', new (class {})(), 'Object'],
    ['an object with an own constructor', { constructor: Map }, 'Object'],
    ['a proxy', proxy, 'Proxy'],
    ['an object with a proxy as its prototype', inheriting(proxy), 'Object'],
    ['an object whose prototype has no constructor', inheriting(inheriting(Base.prototype)), 'Base'],
    ['an object whose constructor is no function', inheriting({ constructor: 'Fake' }), 'Object'],
    ['an object whose constructor is a proxy', inheriting({ constructor: new Proxy(Base, {}) }), 'Object'],
  ])('of the class of %s', (_, object, name) => {
    expect([className(object), typeName(object)]).toEqual([name, name]);
  });

  it('of the type of a value that is no object', () => {
    const values = [null, undefined, () => 1, new Proxy(() => 1, {}), 1n, false, 0, '', Symbol('s')];
    const names = ['Null', 'Null', 'Function', 'Proxy', 'BigInt', 'Boolean', 'Number', 'String', 'Symbol'];
    expect(values.map(typeName)).toEqual(names);
  });

  it('of a function is empty when it would run code or is no text', () => {
    const named = (name: PropertyDescriptor) => Object.defineProperty(() => 1, 'name', name);
    const functions = [
      function own() {},
      () => 1,
      new Proxy(throwing, {}),
      named({ get: throwing }),
      named({ value: 5 }),
    ];
    expect(functions.map(functionName)).toEqual(['own', '', '', '', '']);
  });
});
