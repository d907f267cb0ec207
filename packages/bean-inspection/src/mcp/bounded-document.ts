import { setImmediate as nextTurn } from 'node:timers/promises';
import { type InspectionOptions, inspect, outline } from '@jig/inspect';
import { joinUpTo } from '@jig/inspect/internal';
import { outlineBudgetMs } from '../beans/look.ts';

/** How many characters an answer to a coding agent may have: about 8,000 tokens, below what clients warn of and cut. */
export const answerCharacters = 32_000;

/** What to show of a value. */
export interface Excerpt
  extends Pick<
    InspectionOptions,
    'format' | 'masking' | 'closed' | 'getters' | 'privateFields' | 'views' | 'raw' | 'budget'
  > {
  readonly at: string;
  readonly from: number;
  readonly depth: number;
  readonly limit: number;
  /** Longer texts are cut, unless it is the text itself that is asked for. */
  readonly text: number;
}

export interface BoundedDocument {
  readonly text: string;
  /** How to get what was left out; undefined when nothing was. */
  readonly rest: string | undefined;
}

/** A document of at most so many characters: with less depth and then fewer entries than asked for, until it fits. */
export function boundedDocument(
  value: unknown,
  asked: Excerpt,
  maxCharacters: number,
  signal: AbortSignal,
): BoundedDocument | Promise<BoundedDocument> {
  // A promise only where a document is big: most are small, and a promise for each step would cost as much as they do.
  const tried = (excerpt: Excerpt, hasAllRoom: boolean): BoundedDocument | Promise<BoundedDocument> => {
    const judged = ({ text, isTruncated }: Written) => {
      if (text === undefined) {
        const smaller = shrink(excerpt);
        if (smaller === undefined) return { text: '', rest: 'It is too long to be shown; ask for a part of it by at.' };
        return nextTurn().then(() => tried(smaller, hasAllRoom));
      }
      if (!isTruncated) return { text, rest: isEmpty(text) ? whyEmpty(value, excerpt) : undefined };
      const { kind, rest } = whatIsLeft(value, excerpt, asked);
      // One text by itself is tried once more, with all the room there is.
      if (kind !== 'string' || hasAllRoom || maxCharacters <= asked.text) return { text, rest };
      return tried({ ...excerpt, text: maxCharacters }, true);
    };
    const written = write(value, excerpt, maxCharacters, signal);
    return written instanceof Promise ? written.then(judged) : judged(written);
  };
  return tried(asked, false);
}

/** Half the depth, since a little of everything tells more than everything of a little; then half the entries, then shorter texts. */
function shrink(excerpt: Excerpt): Excerpt | undefined {
  const { depth, limit, text } = excerpt;
  if (depth > 1) return { ...excerpt, depth: depth > 4 ? depth >> 1 : depth - 1 };
  if (limit > 1) return { ...excerpt, limit: limit >> 1 };
  return text > 64 ? { ...excerpt, text: Math.max(64, text >> 1) } : undefined;
}

interface Written {
  /** Undefined when it is too long. */
  readonly text: string | undefined;
  readonly isTruncated: boolean;
}

function write(
  value: unknown,
  options: InspectionOptions,
  maxCharacters: number,
  signal: AbortSignal,
): Written | Promise<Written> {
  const inspection = inspect(value, options);
  const body = inspection.wholeOrChunks(signal);
  const written = (whole: string | Buffer | undefined) => {
    const text = whole?.toString();
    const fits = text !== undefined && text.length <= maxCharacters;
    return { text: fits ? text : undefined, isTruncated: inspection.truncated };
  };
  // No character has more than three bytes.
  return typeof body === 'string' ? written(body) : joinUpTo(body, maxCharacters * 3).then(written);
}

const isEmpty = (text: string) => text === '{}' || /^<[^<>]+\/>$/.test(text);

/** What a document of an object in which nothing can be seen cannot say. */
function whyEmpty(value: unknown, { at, masking, getters, privateFields, views, raw }: Excerpt): string | undefined {
  const options = { at, masking, getters, privateFields, views, raw, limit: 1, budget: outlineBudgetMs };
  const { hasPrivateFields } = outline(value, options);
  return hasPrivateFields ? 'Its class has private fields (#name), which cannot be seen.' : undefined;
}

/** How many parts to name that were not opened. */
const namedParts = 5;
const longestPointer = 250;

/** What the excerpt leaves out, and which arguments show it. */
function whatIsLeft(
  value: unknown,
  excerpt: Excerpt,
  asked: Excerpt,
): { readonly kind: string; readonly rest: string } {
  const { at, from, limit, depth, masking, closed, getters, privateFields, views, raw } = excerpt;
  const bounds = { at, from, limit, masking, closed, getters, privateFields, views, raw, budget: outlineBudgetMs };
  const { kind, size, entries, hasMore, isUnreached } = outline(value, bounds);
  const isSmaller = depth < asked.depth || limit < asked.limit;
  const parts = entries
    .filter(({ canOpen, kind, pointer }) => canOpen && kind !== 'limit' && pointer.length <= longestPointer)
    .slice(0, namedParts);
  const sentences = [
    `Shown: ${depth} ${depth === 1 ? 'level' : 'levels'}, at most ${limit} ${limit === 1 ? 'entry' : 'entries'} of each container${isSmaller ? ', less than asked for so that it fits' : ''}.`,
    ...(isUnreached ? [`The entry from=${from} was not reached in time; ask for earlier ones.`] : []),
    ...(hasMore && !isUnreached && kind !== 'string'
      ? [`Next entries: from=${from + entries.length}${size === undefined ? '' : ` (of ${size})`}.`]
      : []),
    ...(parts.length === 0 ? [] : [`To see more of a part: at=${parts.map(({ pointer }) => pointer).join(', at=')}.`]),
  ];
  return { kind, rest: sentences.join(' ') };
}
