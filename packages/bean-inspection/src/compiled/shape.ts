import type { SecretValues } from '../masking/secret-values.ts';
import type { ByteWriter } from './byte-writer.ts';
import { type CompiledWriter, compileJson, compileMatcher, compileXml, type Matcher } from './compile.ts';
import { type Label, propertyLabel } from './label.ts';
import { Site } from './site.ts';

/** Objects of one prototype with the same own keys in the same order, and the code that writes them. */
export class Shape {
  readonly prototype: object;
  /** What was known of the prototype when the shape was made; it holds only as long as that does. */
  readonly facts: object;
  /** The document in which that was last found to hold. */
  document = 0;
  /** The own keys, then the getters of the classes. */
  readonly properties: readonly string[];
  readonly labels: readonly Label[];
  readonly sites: readonly Site[];
  readonly matches: Matcher;
  /** The secret values that none of the keys holds. */
  clearedFor: SecretValues | undefined;
  #json: CompiledWriter | undefined;
  #xml: CompiledWriter | undefined;

  constructor(prototype: object, facts: object, ownKeys: readonly string[], getters: readonly string[]) {
    this.prototype = prototype;
    this.facts = facts;
    this.properties = [...ownKeys, ...getters];
    this.labels = this.properties.map(propertyLabel);
    this.sites = this.properties.map(() => new Site());
    this.matches = compileMatcher(ownKeys);
  }

  get json(): CompiledWriter {
    this.#json ??= compileJson(this);
    return this.#json;
  }

  get xml(): CompiledWriter {
    this.#xml ??= compileXml(this);
    return this.#xml;
  }

  suits(writer: ByteWriter): boolean {
    if (this.properties.length > writer.limit) return false;
    if (this.clearedFor === writer.secrets) return true;
    if (this.properties.some((key) => writer.secrets.mask(key) !== key)) return false;
    this.clearedFor = writer.secrets;
    return true;
  }
}
