import { nameOfToken } from './bean-names.ts';
import type { BeanSource, BeanValue } from './bean-source.ts';
import { describeValue, peekValue, settleValue } from './bean-values.ts';
import { containerSource, type RegistrationDetails } from './container-source.ts';

/** The class `Container` of TypeDI 0.10. */
export interface TypediContainerLike {
  get(id: never): unknown;
  getMany(id: never): unknown[];
}

interface TypediService {
  readonly id: unknown;
  readonly type?: (abstract new (...args: never) => unknown) | null;
  readonly factory?: unknown;
  readonly value: unknown;
  readonly multiple?: boolean;
  readonly transient?: boolean;
}

interface TypediInstance extends TypediContainerLike {
  readonly id: unknown;
  readonly services: readonly TypediService[];
}

/** What `@Inject` leaves: where it stood, and a function that takes the dependency from a container. */
interface TypediHandler {
  readonly object: object;
  readonly propertyName?: string;
  readonly index?: number;
  readonly value: (container: { get(id: unknown): unknown }) => unknown;
}

/** The private parts of the class. */
interface Internals {
  readonly globalInstance: TypediInstance;
  readonly instances: readonly TypediInstance[];
  readonly handlers: readonly TypediHandler[];
}

interface Registration {
  readonly container: TypediInstance;
  readonly service: TypediService;
}

/** The services of TypeDI's default container, and of all others that exist. */
export function fromTypedi(container: TypediContainerLike): BeanSource {
  const internals = container as unknown as Internals;
  const registrations = () => registrationsOf(internals);
  registrations();
  return containerSource<Registration, unknown>({
    registrations,
    nameOf: ({ service }) => nameOfToken(service.id),
    ownerOf: ({ container: { id } }) => nameOfToken(id),
    tokenOf: ({ service }) => service.id,
    describe: ({ service }) => describe(service, internals.handlers),
    peek({ service }) {
      const instance = instanceOf(service);
      return instance && peekValue(instance.value);
    },
    async get({ service, container: owner }) {
      const existing = instanceOf(service);
      if (existing !== undefined) return settleValue(existing.value);
      const id = service.id as never;
      if (service.multiple !== true) return settleValue(owner.get(id));
      const siblings = owner.services.filter((each) => each.id === id);
      return settleValue(owner.getMany(id)[siblings.indexOf(service)]);
    },
  });
}

/** `Container.of(id)` would create the container it is asked for. These parts are private, so another version may have others. */
function registrationsOf(internals: Internals | undefined): readonly Registration[] {
  const { globalInstance, instances, handlers } = internals ?? {};
  if (globalInstance === undefined || !Array.isArray(instances) || !Array.isArray(handlers)) throw unsupported();
  return [globalInstance, ...instances].flatMap((container) => {
    if (!Array.isArray(container?.services)) throw unsupported();
    return container.services.map((service: TypediService) => {
      if (typeof service !== 'object' || !('id' in service) || !('value' in service)) throw unsupported();
      return { container, service };
    });
  });
}

const unsupported = () =>
  new TypeError(
    'fromTypedi needs the class Container of TypeDI 0.10: it reads private parts, which this container does not have.',
  );

function describe(service: TypediService, handlers: readonly TypediHandler[]): RegistrationDetails {
  const instance = instanceOf(service);
  const type = service.type ? nameOfToken(service.type) : 'unknown';
  return {
    scope: service.transient === true ? 'transient' : 'singleton',
    dependencies: dependenciesOf(service, handlers),
    ...(instance === undefined ? { type, instantiated: false } : describeValue(instance.value)),
  };
}

/** A service without a value holds a symbol that TypeDI does not export. */
const instanceOf = ({ value }: TypediService): BeanValue | undefined =>
  typeof value === 'symbol' && value.description === 'EMPTY_VALUE' ? undefined : { value };

/** Types that TypeDI does not take for services. */
const primitives = new Set(['String', 'Boolean', 'Number', 'Object']);

/** As TypeDI reads it: the types of the parameters, and `@Inject` at parameters and properties, also of base classes. */
function dependenciesOf({ type, factory, value }: TypediService, handlers: readonly TypediHandler[]) {
  if (factory !== undefined) return 'unknown';
  if (!type) return instanceOf({ id: undefined, value }) === undefined ? 'unknown' : [];
  const { getMetadata } = Reflect as { getMetadata?: (key: string, target: unknown) => readonly unknown[] | undefined };
  const parameters = (getMetadata?.('design:paramtypes', type) ?? []).flatMap((parameter, index) => {
    const isOfParameter = ({ object, index: at }: TypediHandler) =>
      at === index && (object === type || object === Object.getPrototypeOf(type));
    const handler = handlers.find(isOfParameter);
    if (handler !== undefined) return injectedToken(handler);
    return typeof parameter !== 'function' || primitives.has(parameter.name) ? [] : [parameter];
  });
  const properties = handlers
    .filter(({ index, object }) => index === undefined && (object === type.prototype || isBase(object, type)))
    .flatMap(injectedToken);
  return [...parameters, ...properties];
}

const isBase = (object: object, type: { readonly prototype: unknown }) =>
  Object.prototype.isPrototypeOf.call(object, type.prototype as object);

/** Handlers of `@Inject` ask a container for the token; those that the application registers itself may do anything, so they are not run. */
function injectedToken({ value }: TypediHandler): readonly unknown[] {
  if (!Function.prototype.toString.call(value).includes('.lazyType()')) return [];
  try {
    return [value({ get: (id) => id })];
  } catch {
    return [];
  }
}
