import type { BeanDescription, BeanSource } from '@jig/application';

export interface ListedBean extends BeanDescription {
  /** The addresses of its two forms. */
  readonly links: { readonly json: string; readonly xml: string };
}

/** The list of beans. Making it makes no bean. */
export class BeanIndex {
  readonly beans: readonly ListedBean[];

  constructor(source: BeanSource, isOpen: (name: string) => boolean) {
    this.beans = source
      .names()
      .filter(isOpen)
      .flatMap((name) => source.describe(name) ?? [])
      .map((description) => ({ ...description, links: linksOf(description.name) }));
  }
}

function linksOf(name: string): ListedBean['links'] {
  const path = `/jig/bean/${encodeURIComponent(Buffer.from(name).toString())}`;
  return { json: `${path}.json`, xml: `${path}.xml` };
}
