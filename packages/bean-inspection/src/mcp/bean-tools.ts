import { type Glance, InspectError } from '@jig/inspect';
import { type ListedBean, listWithLines } from '../beans/bean-list.ts';
import { findBeans } from '../beans/bean-search.ts';
import { largestCounts } from '../http/parameters.ts';
import { isBeanProblem } from '../http/problem.ts';
import type { InspectionRequest } from '../http/request.ts';
import type { Mount } from '../mount.ts';
import { answerCharacters, boundedDocument, fitting } from './bounded-document.ts';
import { type ArgumentSchema, type Tool, type ToolCall, ToolError, type ToolSchema } from './mcp-server.ts';

/** The request of a call. */
type BeanCall = ToolCall<InspectionRequest>;

/** A tool whose result is texts. */
interface BeanTool extends Pick<Tool<InspectionRequest>, 'name' | 'description' | 'inputSchema'> {
  readonly title: string;
  readonly tell: (given: Readonly<Record<string, unknown>>, call: BeanCall) => Promise<string | readonly string[]>;
}

/** For clients that ask a person before anything that could change something. */
export const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** A tool that only reads. Problems are returned to the model. */
export const readingTool = ({ tell, ...described }: BeanTool): Tool<InspectionRequest> => ({
  ...described,
  annotations,
  async call(given, call) {
    try {
      const answers = [await tell(given, call)].flat();
      return { content: answers.map((text) => ({ type: 'text', text })) };
    } catch (error) {
      throw isBeanProblem(error) ? new ToolError(error.message) : error;
    }
  },
});

/** The schema of a tool that takes these arguments and no others. */
export const takes = (
  properties: Readonly<Record<string, ArgumentSchema>>,
  ...required: readonly string[]
): ToolSchema => ({
  type: 'object',
  additionalProperties: false,
  ...(required.length > 0 && { required }),
  properties,
});

export const integer = (minimum: number, maximum: number, description: string): ArgumentSchema => ({
  type: 'integer',
  minimum,
  maximum,
  description,
});

/** A text that is not empty. */
export const text = (maxLength: number, description: string): ArgumentSchema => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description,
});

export const beanName = text(500, 'The name of the bean, exactly.');

/** The tools for beans as they are now, in the order in which a model best gets to know them. */
export const beanTools = (mount: Mount): readonly Tool<InspectionRequest>[] =>
  [listBeans(mount), readBean(mount), find(mount), health(mount)].map(readingTool);

const contains = (what: string): ArgumentSchema => ({
  type: 'string',
  maxLength: 500,
  description: `Only beans whose ${what} contains this text, in any case.`,
});

const matches = (value: string, wanted: unknown) =>
  typeof wanted !== 'string' || value.toLowerCase().includes(wanted.toLowerCase());

function listBeans(mount: Mount): BeanTool {
  return {
    name: 'list_beans',
    title: 'List beans',
    description: `Lists the beans (live components) of the running application: name, type, scope, owner (the package or module that defines it), whether it is instantiated, what it depends on and what depends on it, and a line on its present state. Start here, and use it to answer which components there are, who uses what, or why something is not there: a bean that is not instantiated was not needed yet, and one that is not listed was never defined, or is not open to you. Example: {"type": "pool"} lists all connection pools.`,
    inputSchema: takes({
      name: contains('name'),
      type: contains('type'),
      owner: contains('owner'),
      from: integer(0, 1_000_000, 'How many beans to pass over; 0 by default.'),
    }),
    async tell({ name, type, owner, from = 0 }, { context }) {
      const { beans: all } = await listWithLines(mount, context.prefix);
      const found = all.filter(
        (bean) => matches(bean.name, name) && matches(bean.type, type) && matches(bean.owner, owner),
      );
      const start = Number(from);
      return fitting(found.slice(start).map(row), (beans, left) => {
        const next = `${left} more; call again with from=${start + beans.length}, or narrow it`;
        // As in the list itself, names and types are masked.
        return mount.look.ours({ total: found.length, beans, ...(left > 0 && { next }) }, 'json').toString();
      });
    },
  };
}

/** How many of those that a bean depends on, or that depend on it, are named. */
const namedBeans = 20;

/** As sets, as in the list itself: of two in an array, the second would be masked where the first is `DATABASE_TOKEN`. */
const truncateNames = (names: readonly string[]) =>
  new Set(names.length <= namedBeans ? names : [...names.slice(0, namedBeans), `[${names.length - namedBeans} more]`]);

const row = ({ name, type, line, scope, owner, instantiated, dependencies, dependents, replaced }: ListedBean) => ({
  name,
  type,
  scope,
  owner,
  instantiated,
  dependencies: typeof dependencies === 'string' ? dependencies : truncateNames(dependencies),
  dependents: truncateNames(dependents),
  ...(replaced && { replaced }),
  ...(line !== undefined && { line }),
});

function readBean(mount: Mount): BeanTool {
  const most = largestCounts(mount.look.limits);
  const maxDepth = Math.min(64, most.depth);
  const maxEntries = Math.min(1000, most.limit);
  const usual = { depth: Math.min(4, maxDepth), limit: Math.min(50, maxEntries) };
  return {
    name: 'read_bean',
    title: 'Read a bean',
    description: `Reads the present state of one bean by its name, as JSON or XML. Use it once you know the name, from list_beans or find. Where something is known of its class, such as the connections of a pool, a text before the document tells that. A big bean is shown in part, and a text after it says which arguments show the rest: at (a JSON Pointer to a part), from (the next entries), depth, limit. Reading creates no bean. Markers such as [Depth limit], [12 more] and ****** (a masked secret) are not part of the state. Example: {"name": "pool", "at": "/idle/0", "depth": 2}.`,
    inputSchema: takes(
      {
        name: beanName,
        at: {
          type: 'string',
          maxLength: 4000,
          description: 'A JSON Pointer (RFC 6901) to a part, such as /idle/0; all of it by default.',
        },
        depth: integer(1, maxDepth, `How many containers deep to look; ${usual.depth} by default.`),
        limit: integer(1, maxEntries, `How many entries of each container to show; ${usual.limit} by default.`),
        from: integer(0, 1_000_000_000, 'How many entries of the container at `at` to pass over; 0 by default.'),
        format: { type: 'string', enum: ['json', 'xml'], description: 'json by default.' },
        raw: {
          type: 'boolean',
          description:
            'Whether objects are shown as they are, without what is known of their classes; false by default.',
        },
      },
      'name',
    ),
    async tell({ name, at = '', from = 0, depth = usual.depth, limit = usual.limit, format, raw = false }, call) {
      const part = { at: String(at), from: Number(from), depth: Number(depth), limit: Number(limit) };
      if (!/^(?:\/(?:[^/~]|~[01])*)*$/.test(part.at))
        throw new ToolError('The argument at must be a JSON Pointer (RFC 6901), such as /a/0/b.');
      const value = existingBean(mount, String(name), call);
      const isWhole = part.at === '' && part.from === 0;
      const glance = isWhole ? glanceText(mount.look.glance(value)) : '';
      const form = format === 'xml' ? 'xml' : 'json';
      const excerpt = { ...mount.look.options(), ...part, format: form, raw: raw === true, text: textLimit } as const;
      const room = answerCharacters - restCharacters - glance.length;
      try {
        const { text: document, rest = '' } = await boundedDocument(value, excerpt, room, call.signal);
        return [glance, document, rest].filter((each) => each !== '');
      } catch (error) {
        if (!(error instanceof InspectError) || error.code !== 'JIG_INSPECTION_PART_MISSING') throw error;
        throw new ToolError(
          'The bean has nothing at that JSON Pointer now, or it was not reached in time; read it without at, or with the beginning of it.',
        );
      }
    },
  };
}

/** How many characters of a text are shown in a document. */
const textLimit = 2000;

/** Room for the sentences after a document, with pointers. */
const restCharacters = 1500;

const maxGlance = 2000;

/** The glance of a bean, as `{"view":"pg.Pool","connections":"3 of 10",…}`; tables by their length. */
function glanceText(glance: Glance | undefined): string {
  if (glance === undefined || glance.readings.length === 0) return '';
  const facts: Record<string, unknown> = { view: glance.view };
  for (const { name, value, rows, of, unit, ask, fault } of glance.readings) {
    const shown = fault ?? (ask ? '[not read before a person asks for it]' : (value ?? rows?.length ?? null));
    const more = [of === undefined ? '' : ` of ${of}`, unit === undefined ? '' : ` ${unit}`].join('');
    facts[name] = shown === null || more === '' ? shown : `${shown}${more}`;
  }
  return JSON.stringify(facts).slice(0, maxGlance);
}

/** A bean that exists; nothing is created, so that tools are read-only. */
export function existingBean(mount: Mount, name: string, { context }: BeanCall): unknown {
  const found = mount.beans.find(name);
  if (typeof found === 'object') return found.value;
  if (found === 'closed') throw new ToolError(mount.access.closedBean);
  if (found === 'not created')
    throw new ToolError(
      `This bean was not created yet, and reading creates none. Do in the application what needs it, or let somebody create it, by the button of its page or by POST ${context.prefix}/bean/{name}, which runs its constructor; then read again. A bean of scope request or transient is never kept, so it cannot be read. list_beans shows which beans are instantiated.`,
    );
  const names = mount.beans.describe().map((bean) => bean.name);
  const similar = names.filter((each) => isSimilar(each, name)).slice(0, suggestions);
  const hint = similar.length === 0 ? '' : ` Similar names: ${similar.map((each) => JSON.stringify(each)).join(', ')}.`;
  throw new ToolError(`There is no bean of that name; list_beans lists all.${hint}`);
}

/** How many names to suggest for an unknown one. */
const suggestions = 5;

/** Whether one of the two contains the other, in any case. */
function isSimilar(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return b !== '' && (a.includes(b) || b.includes(a));
}

const usualHits = 50;

function find(mount: Mount): BeanTool {
  return {
    name: 'find',
    title: 'Find in beans',
    description: `Finds where a text occurs in the beans that exist: in their names and types, and in the keys and values of their state, in any case. Each hit has the bean, and the JSON Pointer to pass to read_bean as at. Use it when you know a value (an identifier, a host name, a message) and not where it is. Secrets are masked before the search, so they cannot be found. Example: {"text": "db.example"}.`,
    inputSchema: takes(
      {
        text: text(200, 'The text to find.'),
        limit: integer(1, 500, `How many hits to show; ${usualHits} by default.`),
      },
      'text',
    ),
    async tell({ text: wanted, limit = usualHits }, { context }) {
      if (String(wanted).trim() === '') throw new ToolError('The argument text must not be blank.');
      const { beans, isComplete } = await findBeans(mount, String(wanted), context.raw.signal);
      const rows = beans.flatMap(({ name, hits }) =>
        hits.map((hit) => ({ bean: name, at: hit.pointer, in: hit.in, text: hit.text })),
      );
      return fitting(rows.slice(0, Number(limit)), (hits) => {
        const left = rows.length - hits.length;
        const isAll = isComplete && left === 0;
        const next = `${left === 0 ? 'There may be more' : `${left} more`}; find a longer text, or read a bean`;
        // As in the list of beans, names and types are masked.
        return mount.look.ours({ hits, isComplete: isAll, ...(!isAll && { next }) }, 'json').toString();
      });
    },
  };
}

function health(mount: Mount): BeanTool {
  return {
    name: 'health',
    title: 'Health of the application',
    description: `Tells how the running application is: how long it has been up, how much memory it uses, how many beans it has and how many of them are instantiated, and, where the application knows, the state of each of its parts, such as its database, and which add-ons are off and why. Use it first when something does not work or is not there.`,
    inputSchema: { type: 'object', additionalProperties: false },
    async tell(_given, { context }) {
      const beans = mount.beans.describe();
      const { rss, heapUsed } = process.memoryUsage();
      const health = {
        ...(await mount.options.health?.(context.context)),
        uptimeSeconds: Math.round(process.uptime()),
        memoryMegabytes: { resident: Math.round(rss / 1e6), heapUsed: Math.round(heapUsed / 1e6) },
        node: process.version,
        beans: { total: beans.length, instantiated: beans.filter(({ instantiated }) => instantiated === true).length },
      };
      return mount.look.ours(health, 'json').toString();
    },
  };
}
