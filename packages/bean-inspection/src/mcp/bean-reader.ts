import { type Glance, InspectError } from '@jig/inspect';
import type { InspectionRequest } from '../http/request.ts';
import type { Mount } from '../mount.ts';
import { answerCharacters, type BoundedDocument, boundedDocument, type Excerpt } from './bounded-document.ts';
import { type ToolCall, ToolError } from './mcp-server.ts';

/** What a call knows of the request that it came by. */
export type BeanCall = ToolCall<InspectionRequest>;

/** How many names to suggest in place of one that there is not. */
const suggestions = 5;

/** Reads beans that exist, for tools. It creates none, so that they are read-only. */
export class BeanReader {
  readonly #mount: Mount;

  constructor(mount: Mount) {
    this.#mount = mount;
  }

  /** A bean that exists; a `ToolError` says why it cannot be seen. */
  existing(name: string, { context }: BeanCall): unknown {
    const found = this.#mount.beans.find(name);
    if (typeof found === 'object') return found.value;
    if (found === 'unknown') throw new ToolError(this.#unknown(name));
    throw new ToolError(found === 'closed' ? this.#mount.access.closedBean : notCreated(context.prefix));
  }

  /** A part of a bean; of the whole, with what matters of it at a glance. */
  async read(
    name: string,
    excerpt: Pick<Excerpt, 'at' | 'from' | 'depth' | 'limit' | 'format' | 'raw'>,
    call: BeanCall,
  ): Promise<ReadBean> {
    const value = this.existing(name, call);
    const { look } = this.#mount;
    const glance = excerpt.at === '' && excerpt.from === 0 ? glanceText(look.glance(value)) : undefined;
    // A little is kept for the sentences after the document.
    const room = answerCharacters - restCharacters - (glance?.length ?? 0);
    try {
      const part = { ...look.options(), ...excerpt, text: textLimit };
      const { text, rest } = await boundedDocument(value, part, room, call.signal);
      return { text, rest, glance };
    } catch (error) {
      if (error instanceof InspectError && error.code === 'JIG_INSPECTION_PART_MISSING') throw new ToolError(noPart);
      throw error;
    }
  }

  /** Why there is nothing, and what there is. */
  #unknown(name: string): string {
    const names = this.#mount.beans.describe().map((bean) => bean.name);
    const similar = names.filter((each) => isSimilar(each, name)).slice(0, suggestions);
    const hint =
      similar.length === 0 ? '' : ` Similar names: ${similar.map((each) => JSON.stringify(each)).join(', ')}.`;
    return `There is no bean of that name; list_beans lists all.${hint}`;
  }
}

interface ReadBean extends BoundedDocument {
  readonly glance: string | undefined;
}

const textLimit = 2000;

/** Room for what is said after a document, pointers among it. */
const restCharacters = 1500;

const noPart =
  'The bean has nothing at that JSON Pointer now, or it was not reached in time; read it without at, or with the beginning of it.';

const notCreated = (prefix: string) =>
  `This bean was not created yet, and reading creates none. Do in the application what needs it, or let somebody create it, by the button of its page or by POST ${prefix}/bean/{name}, which runs its constructor; then read again. A bean of scope request or transient is never kept, so it cannot be read. list_beans shows which beans are instantiated.`;

const mostGlance = 2000;

/** What a view tells of a bean, as `{"view":"pg.Pool","connections":"3 of 10",…}`; tables by their length. */
function glanceText(glance: Glance | undefined): string | undefined {
  if (glance === undefined || glance.readings.length === 0) return undefined;
  const { view, readings } = glance;
  const told = readings.map(({ name, value, rows, of, unit, ask, fault }) => {
    const text = fault ?? (ask ? '[not read before a person asks for it]' : (value ?? rows?.length ?? null));
    const more = [...(of === undefined ? [] : [`of ${of}`]), ...(unit === undefined ? [] : [unit])];
    return [name, text === null || more.length === 0 ? text : [text, ...more].join(' ')];
  });
  return JSON.stringify({ view, ...Object.fromEntries(told) }).slice(0, mostGlance);
}

/** Whether one of the two contains the other, in any case. */
function isSimilar(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return b !== '' && (a.includes(b) || b.includes(a));
}
