import type { Sink } from '../walk/walk.ts';
import type { NamespacedNames } from './xml-names.ts';

/** Writes nothing, but has every prefix declared that a walk comes across. */
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
