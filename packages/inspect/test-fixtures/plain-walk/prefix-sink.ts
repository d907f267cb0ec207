import { xmlName } from '../../src/xml/xml-name.ts';
import type { NamespacedNames } from '../../src/xml/xml-names.ts';
import type { Sink } from './walk.ts';

/** How keys become element names. */
export interface XmlNames {
  nameOf(key: string): string;
  /** The attributes that the start tag of this element needs, each after a space. */
  attributesOf(name: string, isRoot: boolean): string;
}

/** Names as they are: a colon needs no declaration in XML 1.0 itself. */
export const plainNames: XmlNames = { nameOf: xmlName, attributesOf: () => '' };

/** Writes nothing, but declares every prefix that a walk finds. */
export class PrefixSink implements Sink {
  readonly #names: NamespacedNames;

  constructor(names: NamespacedNames) {
    this.#names = names;
  }

  key(name: string): void {
    this.#names.declare(name);
  }

  null(): void {}
  boolean(): void {}
  number(): void {}
  text(): void {}
  open(): void {}
  close(): void {}
}
