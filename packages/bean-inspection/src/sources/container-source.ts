import type { BeanDescription, BeanScope, BeanSource, BeanValue } from './bean-source.ts';
import { describeValue, freeName, nameOfToken, peekValue, settleValue } from './bean-values.ts';

/** What a container knows of a registration before it is created. */
export interface RegistrationDetails {
  readonly scope: BeanScope;
  /** Its class, or a token with the name of the class; undefined where the container does not tell. */
  readonly type?: unknown;
  /** Their tokens. */
  readonly dependencies: readonly unknown[] | 'unknown';
}

/** A registration of a container. Nothing of it creates a bean, apart from `create`. */
export interface Registration<Context = unknown> {
  readonly name: string;
  /** The module or container that it belongs to. */
  readonly owner: string;
  /** What dependencies name it by; several registrations may have the same. */
  readonly token: unknown;
  /** The token that this one is an alias of. */
  readonly alias?: unknown;
  details(): RegistrationDetails;
  /** The instance, if there is one. */
  instance(): BeanValue | undefined;
  /** Resolves it by the container. @param scope that of the target, if this is an alias */
  create(context: Context, scope: BeanScope): BeanValue | Promise<BeanValue>;
}

/** The registrations of a container as beans, each by a name of its own. @param registrations all, in order; called for each request, since more may come */
export function containerSource<Context>(registrations: () => readonly Registration<Context>[]): BeanSource<Context> {
  const read = () => new Registrations(registrations());
  return {
    create: 'explicit',
    describe: () => read().describe(),
    has: (name) => read().named.has(name),
    peek(name) {
      const all = read();
      const found = all.named.get(name);
      return found && all.peek(found);
    },
    peekAll() {
      const all = read();
      const existing = new Map<string, BeanValue>();
      for (const [name, registration] of all.named) {
        try {
          const bean = all.peek(registration);
          if (bean !== undefined) existing.set(name, bean);
        } catch {
          // A bean that fails must not hide the others.
        }
      }
      return existing;
    },
    async get(name, context) {
      const all = read();
      const found = all.named.get(name);
      if (found === undefined) throw new Error(`There is no bean ${name}.`);
      const target = all.targetOf(found);
      const { value } = target.instance() ?? (await found.create(context, target.details().scope));
      return settleValue(value);
    },
  };
}

/** All registrations at one time. */
class Registrations<Context> {
  readonly named: ReadonlyMap<string, Registration<Context>>;
  readonly #byToken = new Map<unknown, { readonly names: string[]; last: Registration<Context> }>();

  constructor(all: readonly Registration<Context>[]) {
    this.named = uniqueNames(all);
    for (const [name, registration] of this.named) {
      const same = this.#byToken.get(registration.token);
      if (same === undefined) this.#byToken.set(registration.token, { names: [name], last: registration });
      else {
        same.names.push(name);
        same.last = registration;
      }
    }
  }

  /** Follows aliases to the registration that creates the bean; circular and broken aliases stay as they are. */
  targetOf(from: Registration<Context>): Registration<Context> {
    const seen = new Set<Registration<Context>>();
    let target = from;
    while (target.alias !== undefined) {
      const next = this.#byToken.get(target.alias)?.last;
      if (next === undefined || seen.has(next)) return from;
      seen.add(next);
      target = next;
    }
    return target;
  }

  peek(registration: Registration<Context>): BeanValue | undefined {
    const instance = this.targetOf(registration).instance();
    return instance && peekValue(instance.value);
  }

  describe(): readonly BeanDescription[] {
    return [...this.named].map(([name, registration]) => {
      const target = this.targetOf(registration);
      const { scope, type } = target.details();
      const dependencies =
        registration.alias === undefined ? registration.details().dependencies : [registration.alias];
      const instance = target.instance();
      return {
        name,
        scope,
        owner: registration.owner,
        dependencies: dependencies === 'unknown' ? dependencies : this.#namesOf(dependencies),
        ...(instance === undefined
          ? {
              type: type === undefined ? 'unknown' : nameOfToken(type),
              // Unknown if the container knows nothing of the registration.
              instantiated: scope === 'unknown' ? ('unknown' as const) : false,
            }
          : describeValue(instance.value)),
      };
    });
  }

  #namesOf(tokens: readonly unknown[]): readonly string[] {
    return [...new Set(tokens.flatMap((token) => this.#byToken.get(token)?.names ?? [nameOfToken(token)]))];
  }
}

/** Unique names: its own, with the owner where several share it, and with a number where that is not enough. */
function uniqueNames<Context>(all: readonly Registration<Context>[]): Map<string, Registration<Context>> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { name } of all) (seen.has(name) ? shared : seen).add(name);
  const named = new Map<string, Registration<Context>>();
  for (const registration of all) {
    const { name, owner } = registration;
    named.set(freeName(shared.has(name) ? `${owner}:${name}` : name, named), registration);
  }
  return named;
}
