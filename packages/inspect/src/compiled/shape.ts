import type { SecretFinder } from '../masking/secret-finder.ts';
import { compileGetterCheck, compileJson, compileMatcher, compileXml, type ShapeParts } from './compile.ts';
import { type Label, propertyLabel } from './label.ts';
import { SeenSite } from './site.ts';
import type { CompiledWriter, Matcher, Writing } from './writing.ts';

/** A shape whose code is compiled when it is first needed. */
export class CompiledShape implements ShapeParts {
  readonly prototype: object;
  readonly facts: object;
  document = 0;
  readonly properties: readonly string[];
  readonly labels: readonly Label[];
  readonly sites: readonly SeenSite[];
  readonly matches: Matcher;
  readonly canRead: Matcher;
  /** The secret values that none of the keys holds. */
  #clearedFor: SecretFinder | undefined;
  #json: CompiledWriter | undefined;
  #xml: CompiledWriter | undefined;

  constructor(prototype: object, facts: object, ownKeys: readonly string[], getters: readonly string[]) {
    this.prototype = prototype;
    this.facts = facts;
    this.properties = [...ownKeys, ...getters];
    this.labels = this.properties.map(propertyLabel);
    this.sites = this.properties.map(() => new SeenSite());
    this.matches = compileMatcher(ownKeys);
    this.canRead = compileGetterCheck(ownKeys);
  }

  get json(): CompiledWriter {
    this.#json ??= compileJson(this);
    return this.#json;
  }

  get xml(): CompiledWriter {
    this.#xml ??= compileXml(this);
    return this.#xml;
  }

  suits({ limit, masking }: Pick<Writing, 'limit' | 'masking'>): boolean {
    if (this.properties.length > limit) return false;
    if (this.#clearedFor === masking.secrets) return true;
    if (this.properties.some((key) => masking.key(key) !== key)) return false;
    this.#clearedFor = masking.secrets;
    return true;
  }
}
