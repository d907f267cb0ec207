import { setImmediate as nextTurn } from 'node:timers/promises';
import { type InspectionOptions, inspect, outline } from '@jig/inspect';
import { joinUpTo } from '@jig/inspect/internal';
import { outlineBudgetMs } from '../beans/look.ts';

/** How many characters an answer to a coding agent may have: about 8,000 tokens, below what clients warn of and cut. */
export const answerCharacters = 32_000;

/** Writes as many rows as fit into an answer, and how many are left. */
export function fitRows<Row>(rows: readonly Row[], write: (rows: readonly Row[], left: number) => string): string {
  let shown = rows;
  for (;;) {
    const written = write(shown, rows.length - shown.length);
    if (written.length <= answerCharacters || shown.length <= 1) return written.slice(0, answerCharacters);
    // In proportion, and a little less so that this ends soon.
    shown = shown.slice(0, Math.max(1, Math.floor((shown.length * answerCharacters * 0.95) / written.length)));
  }
}

/** Which part of a value to show, and how. */
export interface Excerpt
  extends Pick<
    InspectionOptions,
    'format' | 'masking' | 'closed' | 'getters' | 'privateFields' | 'views' | 'raw' | 'budget'
  > {
  readonly at: string;
  readonly from: number;
  readonly depth: number;
  readonly limit: number;
  /** The longest text in the value; a text that is asked for itself may be longer. */
  readonly text: number;
}

/**
 * A document of at most so many characters: with less depth and then fewer entries than asked for, until it fits.
 * `rest` says how to get what was left out.
 */
export async function boundedDocument(
  value: unknown,
  asked: Excerpt,
  maxCharacters: number,
  signal: AbortSignal,
): Promise<{ readonly document: string; readonly rest: string }> {
  let excerpt = asked;
  for (let usesWholeLimit = false; ; await nextTurn()) {
    const inspection = inspect(value, excerpt);
    // A UTF-16 unit takes at most three bytes in UTF-8.
    const document = (await joinUpTo(inspection.chunks({ signal }), maxCharacters * 3))?.toString();
    if (document === undefined || document.length > maxCharacters) {
      const smaller = shrink(excerpt);
      if (smaller === undefined)
        return { document: '', rest: 'It is too long to be shown; ask for a part of it by at.' };
      excerpt = smaller;
      continue;
    }
    if (!inspection.truncated) return { document, rest: '' };
    const { kind, rest } = describeOmitted(value, excerpt, asked);
    // A single string is tried once more, with the whole limit.
    if (kind !== 'string' || usesWholeLimit || maxCharacters <= asked.text) return { document, rest };
    excerpt = { ...excerpt, text: maxCharacters };
    usesWholeLimit = true;
  }
}

/** Halves the depth first, then the entries, then the length of texts: an overview is worth more than details. */
function shrink(excerpt: Excerpt): Excerpt | undefined {
  const { depth, limit, text } = excerpt;
  if (depth > 1) return { ...excerpt, depth: depth > 4 ? depth >> 1 : depth - 1 };
  if (limit > 1) return { ...excerpt, limit: limit >> 1 };
  return text > 64 ? { ...excerpt, text: Math.max(64, text >> 1) } : undefined;
}

/** How many parts to name that were not opened. */
const namedParts = 5;
const longestPointer = 250;

/** What the excerpt leaves out, and which arguments show it. */
function describeOmitted(value: unknown, excerpt: Excerpt, asked: Excerpt) {
  const { from, limit, depth } = excerpt;
  const { kind, size, entries, hasMore, isUnreached } = outline(value, { ...excerpt, budget: outlineBudgetMs });
  const isSmaller = depth < asked.depth || limit < asked.limit;
  const parts = entries
    .filter(({ canOpen, kind, pointer }) => canOpen && kind !== 'limit' && pointer.length <= longestPointer)
    .slice(0, namedParts);
  const sentences = [
    `Shown: ${depth} ${depth === 1 ? 'level' : 'levels'}, at most ${limit} ${limit === 1 ? 'entry' : 'entries'} of each container${isSmaller ? ', less than asked for so that it fits' : ''}.`,
  ];
  if (isUnreached) sentences.push(`The entry from=${from} was not reached in time; ask for earlier ones.`);
  else if (hasMore && kind !== 'string')
    sentences.push(`Next entries: from=${from + entries.length}${size === undefined ? '' : ` (of ${size})`}.`);
  if (parts.length > 0)
    sentences.push(`To see more of a part: at=${parts.map(({ pointer }) => pointer).join(', at=')}.`);
  return { kind, rest: sentences.join(' ') };
}
