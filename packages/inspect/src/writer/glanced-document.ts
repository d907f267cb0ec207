import type { ResolvedOptions } from '../inspection-options.ts';
import { nothing } from '../masking/secret-key.ts';
import { type State, stateOf } from '../views/state-line.ts';
import { learningMasking } from '../walk/secret-scan.ts';
import { Document } from './document.ts';

/** How long to look for secrets around a part, in milliseconds. */
const longestScanMs = 20;

/** A JSON document, `{ glance, bean }`, of which the second is the document without a glance. */
export class GlancedDocument extends Document {
  /** What comes before and after it, as far as it was not taken. */
  readonly #around: string[];

  constructor(value: unknown, options: ResolvedOptions, isWhole: boolean) {
    super(value, { ...options, margin: 1 }, isWhole);
    const [line, indent] = options.pretty ? ['\n', 2] : ['', 0];
    const [margin, space] = [' '.repeat(indent), ' '.repeat(indent / 2)];
    const glance = JSON.stringify(told(value, options), null, indent).replaceAll('\n', `\n${margin}`);
    this.#around = [`{${line}${margin}"glance":${space}${glance},${line}${margin}"bean":${space}`, `${line}}`];
  }

  override next(): Buffer | undefined {
    const chunk = this.#around.length === 2 ? undefined : super.next();
    const text = chunk === undefined ? this.#around.shift() : undefined;
    return text === undefined ? chunk : Buffer.from(text);
  }
}

/** Nothing of what stands behind a secret key. */
function told(value: unknown, options: ResolvedOptions): State {
  const { views, closed, root, secrecy } = options;
  if (secrecy !== nothing) return { line: '', readings: [] };
  const masking =
    root === undefined ? options.masking : learningMasking(root, options.masking, options.contentOf, longestScanMs);
  const { line, view, readings } = stateOf(value, { views, masking, closed });
  return view === undefined ? { line, readings } : { line, view, readings };
}
