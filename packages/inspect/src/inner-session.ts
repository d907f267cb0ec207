import type { Runtime, Session } from 'node:inspector';
import { types } from 'node:util';

/** The source position of a function. Lines and columns begin with 0. */
export interface CodeLocation {
  readonly scriptId: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** Variables in a scope by name: live objects, and copies of primitives. */
export interface Scope {
  /** `Module`, `Block`, `Closure` or `Closure (makeService)`. */
  readonly kind: string;
  readonly variables: object;
}

export interface FunctionDetails {
  readonly location: CodeLocation | undefined;
  /** From the inside out, without globals. */
  readonly scopes: readonly Scope[];
  /** The target, `this` and arguments of a bound function. */
  readonly bound: readonly unknown[];
}

/** The target and handler of a proxy. */
export interface ProxyParts {
  readonly target: object;
  readonly handler: object;
}

const globalKey = Symbol.for('jig.inner-session');
const objectGroup = 'jig';

/**
 * A session with the inspector of this thread, for private fields, scopes of functions and the like. It opens no port, pauses nothing and runs
 * no code of the application, except where it meets an error in a private field, a promise, a proxy, or a bound `this`: V8 then reads
 * its name, message and stack, which may run getters and `Error.prepareStackTrace`.
 */
export class InnerSession {
  readonly #session: Session;
  /** Passes objects to and from the inspector. */
  readonly #exchange: { in?: unknown; out?: unknown } = {};
  readonly #exchangeId: string;

  /** Throws if there is no inspector, or it is closed. */
  constructor() {
    const { Session } = process.getBuiltinModule('node:inspector');
    this.#session = new Session();
    this.#session.connect();
    try {
      // The global exists during one synchronous call only.
      Object.defineProperty(globalThis, globalKey, { value: this.#exchange, configurable: true });
      const expression = `globalThis[Symbol.for(${JSON.stringify(globalKey.description)})]`;
      this.#exchangeId = idOf(this.post<Evaluation>('Runtime.evaluate', { expression, silent: true }).result);
    } catch (error) {
      this.#session.disconnect();
      throw error;
    } finally {
      Reflect.deleteProperty(globalThis, globalKey);
    }
  }

  /** Sends a command; the inspector answers synchronously. */
  post<Result>(method: string, parameters: object = {}): Result {
    let answer: unknown;
    let failure: Error | null = null;
    this.#session.post(method, parameters, (error, result) => {
      failure = error;
      answer = result;
    });
    if (failure !== null) throw failure;
    return answer as Result;
  }

  get events(): Session {
    return this.#session;
  }

  /** The private fields of an object, without methods and accessors, by names with `#`. The object must not be a proxy. */
  privateFields(object: object): ReadonlyMap<string, unknown> {
    const fields = new Map<string, unknown>();
    if (hasError(object)) return fields;
    const { privateProperties = [] } = this.#propertiesOf(object);
    for (const { name, value } of privateProperties)
      if (value !== undefined && value.type !== 'function') fields.set(name, this.#valueOf(value));
    this.#release();
    return fields;
  }

  /** Target and handler of a proxy, unless it is revoked. Runs no trap. */
  partsOf(proxy: object): ProxyParts | undefined {
    const { internalProperties = [] } = this.#propertiesOf(proxy);
    const [target, handler] = ['[[Target]]', '[[Handler]]'].map((wanted) => {
      const value = internalProperties.find(({ name }) => name === wanted)?.value;
      return value === undefined ? undefined : this.#valueOf(value);
    }) as (object | null | undefined)[];
    this.#release();
    return target && handler ? { target, handler } : undefined;
  }

  /** The result of a promise; undefined while it is pending. */
  resultOf(promise: object): unknown {
    const { internalProperties = [] } = this.#propertiesOf(promise);
    const value = internalProperties.find(({ name }) => name === '[[PromiseResult]]')?.value;
    const result = value && this.#valueOf(value);
    this.#release();
    return result;
  }

  /** Position and scopes of a function that is not a proxy. */
  detailsOf(target: object): FunctionDetails {
    if (hasError(target)) return { location: undefined, scopes: [], bound: [] };
    const { internalProperties = [] } = this.#propertiesOf(target);
    const values = new Map(internalProperties.map(({ name, value }) => [name, value]));
    const raw = values.get('[[Scopes]]');
    const all = (raw === undefined ? [] : Array.from(this.#valueOf(raw) as ArrayLike<RawScope>)) as RawScope[];
    const scopes = all
      .filter(({ description }) => !/^(?:Global|Script)/.test(description))
      .map(({ description, object }) => ({ kind: description, variables: object }));
    const bound = ['[[TargetFunction]]', '[[BoundThis]]', '[[BoundArgs]]']
      .map((name) => values.get(name))
      .flatMap((value) => (value === undefined ? [] : [this.#valueOf(value)]));
    this.#release();
    return { location: values.get('[[FunctionLocation]]')?.value as CodeLocation | undefined, scopes, bound };
  }

  /** All objects that inherit from a prototype. Collects garbage first, which blocks the process. */
  instancesOf(prototype: object): readonly object[] {
    const prototypeObjectId = this.#idOf(prototype);
    const { objects } = this.post<{ objects: Runtime.RemoteObject }>('Runtime.queryObjects', {
      prototypeObjectId,
      objectGroup,
    });
    const all = this.#valueOf(objects) as readonly object[];
    this.#release();
    return all;
  }

  close(): void {
    this.#session.disconnect();
  }

  #propertiesOf(object: object): Runtime.GetPropertiesReturnType & PrivateProperties {
    const objectId = this.#idOf(object);
    return this.post('Runtime.getProperties', { objectId, ownProperties: true });
  }

  #idOf(value: object): string {
    this.#exchange.in = value;
    const { result } = this.#call('function () { return this.in; }');
    this.#exchange.in = undefined;
    return idOf(result);
  }

  /** The live value of a remote object. */
  #valueOf({ objectId, type, value, unserializableValue }: Runtime.RemoteObject): unknown {
    if (objectId === undefined) return unserializableValue === undefined ? value : parsed(type, unserializableValue);
    this.#call('function (value) { this.out = value; }', [{ objectId }]);
    const { out } = this.#exchange;
    this.#exchange.out = undefined;
    return out;
  }

  #call(functionDeclaration: string, parameters: readonly Runtime.CallArgument[] = []): Evaluation {
    const call = {
      objectId: this.#exchangeId,
      functionDeclaration,
      arguments: parameters,
      objectGroup,
      silent: true,
    };
    return this.post('Runtime.callFunctionOn', call);
  }

  #release(): void {
    this.post('Runtime.releaseObjectGroup', { objectGroup });
  }
}

let shared: InnerSession | undefined;
let isAvailable = true;

/** A session that closes after the current code; undefined without an inspector. */
function sharedSession(): InnerSession | undefined {
  if (shared !== undefined || !isAvailable) return shared;
  try {
    shared = new InnerSession();
    queueMicrotask(() => {
      shared?.close();
      shared = undefined;
    });
  } catch {
    isAvailable = false;
  }
  return shared;
}

/** The private fields of an object; none without an inspector. */
export const readPrivateFields = (object: object): ReadonlyMap<string, unknown> =>
  sharedSession()?.privateFields(object) ?? new Map();

/** The target and handler of a proxy; undefined without an inspector. */
export const readProxy = (proxy: object): ProxyParts | undefined => sharedSession()?.partsOf(proxy);

interface Evaluation {
  readonly result: Runtime.RemoteObject;
}

interface RawScope {
  readonly description: string;
  readonly object: object;
}

interface PrivateProperties {
  readonly privateProperties?: readonly { readonly name: string; readonly value?: Runtime.RemoteObject }[];
}

function idOf({ objectId }: Runtime.RemoteObject): string {
  if (objectId === undefined) throw new TypeError('The inspector was asked for something that is no object.');
  return objectId;
}

const parsed = (type: string, text: string) => (type === 'bigint' ? BigInt(text.slice(0, -1)) : Number(text));

/**
 * Whether the inspector would list an error, whose getters it may run. Errors that only the inspector can see are not found.
 */
function hasError(object: object): boolean {
  if (types.isNativeError(object) || types.isNativeError(Object.getPrototypeOf(object))) return true;
  return Reflect.ownKeys(object).some((key) =>
    types.isNativeError(Object.getOwnPropertyDescriptor(object, key)?.value),
  );
}
