import { nameOfToken, uniqueNames } from './bean-names.ts';
import type { BeanDescription, BeanSource, BeanValue } from './bean-source.ts';

/** What a container tells of a registration; its dependencies as tokens. */
export interface RegistrationDetails extends Pick<BeanDescription, 'type' | 'scope' | 'instantiated'> {
  readonly dependencies: readonly unknown[] | 'unknown';
}

/** Reads the registrations of a container. Nothing of it creates a bean, apart from `get`. */
export interface ContainerReader<Registration, Context> {
  /** All registrations, in the order of the container; anew each time, since more may come. */
  registrations(): readonly Registration[];
  readonly nameOf: (registration: Registration) => string;
  readonly ownerOf: (registration: Registration) => string;
  /** What dependencies name it by; several registrations may have the same. */
  tokenOf(registration: Registration): unknown;
  describe(registration: Registration): RegistrationDetails;
  peek(registration: Registration): BeanValue | undefined;
  get(registration: Registration, context: Context): Promise<BeanValue>;
}

/** The registrations of a container as beans, each by a name of its own. */
export function containerSource<Registration, Context>(
  container: ContainerReader<Registration, Context>,
): BeanSource<Context> {
  const byName = () => uniqueNames(container.registrations(), container.nameOf, container.ownerOf);
  return {
    create: 'explicit',
    describe() {
      const named = [...byName()];
      const namesByToken = new Map<unknown, string[]>();
      for (const [name, registration] of named) {
        const token = container.tokenOf(registration);
        const names = namesByToken.get(token);
        if (names === undefined) namesByToken.set(token, [name]);
        else names.push(name);
      }
      const namesOf = (tokens: readonly unknown[]) => {
        const names: string[] = [];
        for (const token of tokens)
          for (const name of namesByToken.get(token) ?? [nameOfToken(token)])
            if (!names.includes(name)) names.push(name);
        return names;
      };
      return named.map(([name, registration]) => {
        const { type, scope, instantiated, dependencies } = container.describe(registration);
        const owner = container.ownerOf(registration);
        const known = dependencies === 'unknown' ? dependencies : namesOf(dependencies);
        return { name, type, scope, owner, dependencies: known, instantiated };
      });
    },
    has: (name) => byName().has(name),
    peek(name) {
      const registration = byName().get(name);
      return registration && container.peek(registration);
    },
    peekAll() {
      const existing = new Map<string, BeanValue>();
      for (const [name, registration] of byName()) {
        try {
          const bean = container.peek(registration);
          if (bean !== undefined) existing.set(name, bean);
        } catch {
          // It does not keep the others from being shown.
        }
      }
      return existing;
    },
    async get(name, context) {
      const registration = byName().get(name);
      if (registration === undefined) throw new Error(`There is no bean ${name}.`);
      return container.get(registration, context);
    },
  };
}
