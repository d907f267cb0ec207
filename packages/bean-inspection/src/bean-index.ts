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

/** A name as part of an address; a lone surrogate, which no address can hold, is what UTF-8 makes of it. */
export const inAddress = (name: string) => encodeURIComponent(Buffer.from(name).toString());

function linksOf(name: string): ListedBean['links'] {
  const path = `/jig/bean/${inAddress(name)}`;
  return { json: `${path}.json`, xml: `${path}.xml` };
}
