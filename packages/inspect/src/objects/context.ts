import { handlingPromises } from './bean-code.ts';
import { ClassFacts } from './classes.ts';
import { fieldsWithoutGetter, noFields, type PrivateFields, type PrivateFieldsOf } from './private-fields.ts';
import type { GetterPolicy } from './reflection.ts';

/** The options and the caches of one document, outline or search. */
export class Context {
  readonly getters: GetterPolicy;
  readonly #privateFieldsOf: PrivateFieldsOf | undefined;
  #classes: Map<object | null, ClassFacts> | undefined;
  #fields: Map<object, PrivateFields> | undefined;

  constructor(getters: GetterPolicy = 'run', privateFieldsOf?: PrivateFieldsOf) {
    this.getters = getters;
    this.#privateFieldsOf = privateFieldsOf;
  }

  /** Runs synchronous work that may call code of a bean. Clears the caches afterwards, since other code may change the objects. */
  run<Result>(work: () => Result): Result {
    try {
      return handlingPromises(work);
    } finally {
      this.#classes = undefined;
      this.#fields = undefined;
    }
  }

  /** The class of an object that is not a proxy. */
  classOf(object: object): ClassFacts {
    const prototype: object | null = Object.getPrototypeOf(object);
    this.#classes ??= new Map();
    let facts = this.#classes.get(prototype);
    if (facts === undefined) {
      facts = new ClassFacts(object);
      this.#classes.set(prototype, facts);
    }
    return facts;
  }

  /** The private fields of an object to show. */
  fieldsOf(object: object): PrivateFields {
    if (this.#privateFieldsOf === undefined || !this.classOf(object).hasPrivateFields) return noFields;
    this.#fields ??= new Map();
    let fields = this.#fields.get(object);
    if (fields === undefined) {
      fields = fieldsWithoutGetter(object, this.#privateFieldsOf(object));
      this.#fields.set(object, fields);
    }
    return fields;
  }

  /** Whether an object has private fields that are not shown. */
  hidesFields(object: object): boolean {
    return this.#privateFieldsOf === undefined && this.classOf(object).hasPrivateFields;
  }
}
