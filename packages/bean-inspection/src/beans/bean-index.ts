import type { BeanDescription } from '../sources/bean-source.ts';

/** A bean of the list, with those that depend on it and the addresses of its documents. */
export interface ListedBean extends BeanDescription {
  readonly dependents: readonly string[];
  readonly links: { readonly json: string; readonly xml: string };
  /** Its state in a few words, where it exists and there is anything to say. */
  readonly line?: string;
}

/** A name as part of an address; a lone surrogate, which no address can hold, becomes U+FFFD. */
export const encodeName = (name: string) => encodeURIComponent(Buffer.from(name).toString());

type Changeable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** The list of beans, as it is shown. */
export class BeanIndex {
  readonly beans: readonly ListedBean[];

  constructor(
    descriptions: readonly BeanDescription[],
    prefix: string,
    lines: ReadonlyMap<string, string> = new Map(),
  ) {
    const dependents = dependentsByName(descriptions);
    this.beans = descriptions.map((description) => {
      const { name, type, scope, owner, dependencies, instantiated, replaced = false, found, isMinor } = description;
      const path = `${prefix}/bean/${encodeName(name)}`;
      const links = { json: `${path}.json`, xml: `${path}.xml` };
      const known = dependents.get(name) ?? [];
      const line = lines.get(name);
      const bean: Changeable<ListedBean> = {
        name,
        type,
        scope,
        owner,
        dependencies,
        dependents: known,
        instantiated,
        replaced,
        links,
      };
      // Not by spreading: that would take as long as all else here.
      if (line !== undefined) bean.line = line;
      if (found !== undefined) bean.found = found;
      if (isMinor === true) bean.isMinor = isMinor;
      return bean;
    });
  }

  /** To be written. Names are in sets: of two in an array, the second would be masked where the first is `DATABASE_TOKEN`. */
  toDocument(): object {
    const names = (all: readonly string[] | 'unknown') => (all === 'unknown' ? all : new Set(all));
    return {
      beans: this.beans.map((bean) => ({
        ...bean,
        dependencies: names(bean.dependencies),
        dependents: names(bean.dependents),
      })),
    };
  }
}

/** The beans that depend on each, as far as their dependencies are known. */
function dependentsByName(descriptions: readonly BeanDescription[]): ReadonlyMap<string, readonly string[]> {
  const dependents = new Map<string, string[]>(descriptions.map(({ name }) => [name, []]));
  for (const { name, dependencies } of descriptions)
    if (dependencies !== 'unknown') for (const needed of dependencies) dependents.get(needed)?.push(name);
  return dependents;
}
