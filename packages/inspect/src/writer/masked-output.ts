import type { ResolvedOptions } from '../inspection-options.ts';
import type { LearnedTexts } from '../masking/learned-texts.ts';
import { type Masking, shortestForm } from '../masking/masking.ts';
import type { SecretFinder } from '../masking/secrets.ts';
import { beginsToken, mayHavePair, mayHaveScheme, mayHaveToken } from '../masking/text-rules.ts';
import { pointerTo as joinedPointer } from '../walk/json-pointer.ts';
import { cutKey, shownText } from '../walk/shown-text.ts';
import {
  ByteOutput,
  digit,
  escapeSign,
  joiner,
  jsonCharacters,
  lowerCase,
  pairSign,
  schemeSign,
  space,
  special,
  underscore,
  upperCase,
} from './byte-output.ts';
import type { EncodedKey } from './encoded-key.ts';

/** Longer texts count as a step by themselves. */
const longText = 4096;
const shortKey = 60;
/** Longer keys are cut like texts, between these two: to escape a key of a megabyte blocks for long. */
const longestKey = 64 * 1024;
const shortestCutKey = 200;
/** What tokens such as `ghp_…`, ids such as `AKIA…`, and `Bearer …` are made of. */
const tokenKinds = digit | joiner | lowerCase;
const idKinds = digit | upperCase;
const schemeKinds = space | lowerCase | schemeSign;
const pemKinds = joiner | space | upperCase;
const shortestScheme = 9;

/** Bytes of a document in which texts and keys are masked, and texts cut. */
export abstract class MaskedOutput extends ByteOutput {
  /** Whether anything was left out so far. */
  truncated = false;
  protected isPretty = false;
  protected masking!: Masking;
  protected secrets!: SecretFinder;
  protected shortestSecret = 0;
  protected learned: LearnedTexts | undefined;
  protected hasNumbers = false;
  protected textLimit = 0;
  /** How many levels the document is indented as a whole. */
  #margin = 0;

  /** Stops soon when this slice takes long. */
  protected abstract lookNow(): void;

  protected startMasking({ masking, text, pretty, margin = 0 }: ResolvedOptions): void {
    this.learn(masking);
    this.secrets = masking.secrets;
    this.shortestSecret = Math.min(this.secrets.shortest, text + 1);
    this.hasNumbers = this.secrets.hasNumbers;
    this.textLimit = text;
    this.isPretty = pretty;
    this.#margin = margin;
    this.truncated = false;
  }

  /** Masks by further rules from here on. */
  learn(masking: Masking): void {
    this.masking = masking;
    this.learned = masking.learned;
  }

  /** The encoded form of a key, if it holds no secret. */
  protected cleanKey(key: EncodedKey, name: string): EncodedKey | undefined {
    if (this.learned?.isPartOf(name) === true) return undefined;
    if (key.cleanOf === this.secrets) return key;
    if (this.masking.key(name) !== name) return undefined;
    key.cleanOf = this.secrets;
    return key;
  }

  /** A key without the secrets that it may hold. */
  protected shownKey(key: string): string {
    const isName = key.length < this.shortestSecret && key.length < shortestForm && !key.includes('@');
    if (this.learned === undefined && (isName || this.#isClean(key))) return key;
    return key.length <= shortestCutKey ? this.masking.key(key) : this.#longKey(key);
  }

  /** Whether a key needs no closer look, as most of those do not that are longer than names: identifiers, addresses. */
  #isClean(key: string): boolean {
    if (key.length > shortKey || this.holdsSecret(key)) return false;
    let kinds = 0;
    for (let index = 0; index < key.length; index++) kinds |= jsonCharacters[key.charCodeAt(index)] as number;
    return !this.needsSlowPath(key, kinds);
  }

  #longKey(key: string): string {
    const longest = Math.max(shortestCutKey, Math.min(this.textLimit, longestKey));
    if (key.length <= longest) return this.masking.key(key);
    this.lookNow();
    this.truncated = true;
    return cutKey(key, longest, this.masking);
  }

  protected pointerTo(keys: readonly string[]): string {
    return joinedPointer(keys.map((key) => this.masking.key(key)));
  }

  /** Whether a secret is in a text as it stands. */
  protected holdsSecret(text: string): boolean {
    if (text.length >= this.shortestSecret && this.secrets.isWrittenIn(text)) return true;
    return this.learned?.isIn(text) === true;
  }

  /** Whether a text with characters of these kinds may have to be escaped or masked. */
  protected needsSlowPath(text: string, kinds: number): boolean {
    if ((kinds & special) !== 0 || ((kinds & pairSign) !== 0 && mayHavePair(text))) return true;
    const isLong = text.length >= shortestForm;
    if ((kinds & tokenKinds) === tokenKinds || (isLong && (kinds & idKinds) === idKinds)) {
      if (mayHaveToken(text)) return true;
    } else if (isLong && ((kinds & underscore) !== 0 ? mayHaveToken(text) : beginsToken(text))) return true;
    if ((kinds & pemKinds) === pemKinds && text.includes('PRIVATE KEY')) return true;
    if ((kinds & schemeKinds) === schemeKinds && text.length >= shortestScheme && mayHaveScheme(text)) return true;
    return (kinds & escapeSign) !== 0 && text.length >= this.shortestSecret && this.secrets.isEscapedIn(text);
  }

  /** The text as it is shown: masked and not too long. */
  protected maskedAndCut(value: string): string {
    // To clear a long text takes time even where little of it is written.
    if (value.length > longText) this.lookNow();
    const { text, isCut } = shownText(value, this.textLimit, this.masking);
    if (isCut) this.truncated = true;
    return text;
  }

  /** Begins a line for an entry or the end of a container at a depth. */
  protected newLine(depth: number): void {
    const spaces = (depth + this.#margin) * 2;
    this.reserve(spaces + 1);
    this.bytes[this.position++] = 0x0a;
    this.bytes.fill(0x20, this.position, this.position + spaces);
    this.position += spaces;
  }
}
