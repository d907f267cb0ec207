import { type ListedBean, listWithLines } from '../beans/bean-list.ts';
import { findBeans } from '../beans/bean-search.ts';
import { largestCounts } from '../http/parameters.ts';
import type { InspectionRequest } from '../http/request.ts';
import type { Mount } from '../mount.ts';
import type { BeanCall, BeanReader } from './bean-reader.ts';
import { answerCharacters } from './bounded-document.ts';
import { type Tool, ToolError, type ToolResult } from './mcp-server.ts';
import { type ArgumentSchema, integer, takes } from './tool-arguments.ts';

type BeanTool = Tool<InspectionRequest>;

type Given = Readonly<Record<string, unknown>>;

/** For clients that ask a person before anything that could change something. */
export const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export const text = (...texts: readonly (string | undefined)[]): ToolResult => ({
  content: texts.filter((each) => each !== undefined).map((each) => ({ type: 'text', text: each })),
});

/** The tools of the endpoint, in the order in which a model best gets to know them. */
export function beanTools(mount: Mount, reader: BeanReader): readonly BeanTool[] {
  return [listBeans(mount), readBean(mount, reader), find(mount), health(mount)];
}

const nameLength = 500;
/** The name of a bean, or of something else. */
export const named = (description: string): ArgumentSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: nameLength,
  description,
});
export const beanName = named('The name of the bean, exactly.');
const contains = (what: string): ArgumentSchema => ({
  type: 'string',
  maxLength: nameLength,
  description: `Only beans whose ${what} contains this text, in any case.`,
});

function listBeans(mount: Mount): BeanTool {
  return {
    name: 'list_beans',
    title: 'List beans',
    description: `Lists the beans (live components) of the running application: name, type, scope, owner (the package or module that defines it), whether it is instantiated, what it depends on and what depends on it, and a line on its present state. Start here, and use it to answer which components there are, who uses what, or why something is not there: a bean that is not instantiated was not needed yet, and one that is not listed was never defined, or is not open to you. Example: {"type": "pool"} lists all connection pools.`,
    annotations,
    inputSchema: takes({
      name: contains('name'),
      type: contains('type'),
      owner: contains('owner'),
      from: integer(0, 1_000_000, 'How many beans to pass over; 0 by default.'),
    }),
    call: async (given, { context }) => text(await listed(mount, given, context)),
  };
}

const matches = (value: string, wanted: unknown) =>
  typeof wanted !== 'string' || value.toLowerCase().includes(wanted.toLowerCase());

/** How many of those that a bean depends on, or that depend on it, are named. */
const namedBeans = 20;

/** As sets, as in the list itself: of two in an array, the second would be masked where the first is `DATABASE_TOKEN`. */
const few = (names: readonly string[]) =>
  new Set(names.length <= namedBeans ? names : [...names.slice(0, namedBeans), `[${names.length - namedBeans} more]`]);

const row = ({ name, type, line, scope, owner, instantiated, dependencies, dependents, replaced }: ListedBean) => ({
  name,
  type,
  scope,
  owner,
  instantiated,
  dependencies: typeof dependencies === 'string' ? dependencies : few(dependencies),
  dependents: few(dependents),
  ...(replaced ? { replaced } : {}),
  ...(line === undefined ? {} : { line }),
});

async function listed(
  mount: Mount,
  { name, type, owner, from = 0 }: Given,
  request: InspectionRequest,
): Promise<string> {
  const { beans: all } = await listWithLines(mount, request.prefix);
  const found = all.filter(
    (bean) => matches(bean.name, name) && matches(bean.type, type) && matches(bean.owner, owner),
  );
  const start = Number(from);
  return fitting(found.slice(start).map(row), answerCharacters, (beans, left) => {
    const next = left === 0 ? {} : { next: `${left} more; call again with from=${start + beans.length}, or narrow it` };
    const shown = { total: found.length, beans, ...next };
    // As the list itself, names and types are masked.
    return mount.look.ours(shown, 'json').toString();
  });
}

/** As many rows as fit, and how many are left. */
export function fitting<Row>(
  rows: readonly Row[],
  maxCharacters: number,
  write: (rows: readonly Row[], left: number) => string,
): string {
  let shown = rows;
  for (;;) {
    const written = write(shown, rows.length - shown.length);
    if (written.length <= maxCharacters || shown.length <= 1) return written.slice(0, maxCharacters);
    // In proportion, and a little less so that this ends soon.
    shown = shown.slice(0, Math.max(1, Math.floor((shown.length * maxCharacters * 0.95) / written.length)));
  }
}

function readBean(mount: Mount, reader: BeanReader): BeanTool {
  const most = largestCounts(mount.look.limits);
  const depth = Math.min(64, most.depth);
  const limit = Math.min(1000, most.limit);
  const defaults = { depth: Math.min(4, depth), limit: Math.min(50, limit) };
  return {
    name: 'read_bean',
    title: 'Read a bean',
    description: `Reads the present state of one bean by its name, as JSON or XML. Use it once you know the name, from list_beans or find. Where something is known of its class, such as the connections of a pool, a text before the document tells that. A big bean is shown in part, and a text after it says which arguments show the rest: at (a JSON Pointer to a part), from (the next entries), depth, limit. Reading creates no bean. Markers such as [Depth limit], [12 more] and ****** (a masked secret) are not part of the state. Example: {"name": "pool", "at": "/idle/0", "depth": 2}.`,
    annotations,
    inputSchema: takes(
      {
        name: beanName,
        at: {
          type: 'string',
          maxLength: 4000,
          description: 'A JSON Pointer (RFC 6901) to a part, such as /idle/0; all of it by default.',
        },
        depth: integer(1, depth, `How many containers deep to look; ${defaults.depth} by default.`),
        limit: integer(1, limit, `How many entries of each container to show; ${defaults.limit} by default.`),
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
    async call(given, call) {
      const { at, from = 0, depth = defaults.depth, limit = defaults.limit, format, raw } = given;
      const excerpt = {
        at: typeof at === 'string' ? at : '',
        from: Number(from),
        depth: Number(depth),
        limit: Number(limit),
        format: format === 'xml' ? ('xml' as const) : ('json' as const),
        raw: raw === true,
      };
      if (!/^(?:\/(?:[^/~]|~[01])*)*$/.test(excerpt.at))
        throw new ToolError('The argument at must be a JSON Pointer (RFC 6901), such as /a/0/b.');
      const { glance, text: document, rest } = await reader.read(String(given.name), excerpt, call);
      return text(glance, document, rest);
    },
  };
}

const defaultHits = 50;

function find(mount: Mount): BeanTool {
  return {
    name: 'find',
    title: 'Find in beans',
    description: `Finds where a text occurs in the beans that exist: in their names and types, and in the keys and values of their state, in any case. Each hit has the bean, and the JSON Pointer to pass to read_bean as at. Use it when you know a value (an identifier, a host name, a message) and not where it is. Secrets are masked before the search, so they cannot be found. Example: {"text": "db.example"}.`,
    annotations,
    inputSchema: takes(
      {
        text: { type: 'string', minLength: 1, maxLength: 200, description: 'The text to find.' },
        limit: integer(1, 500, `How many hits to show; ${defaultHits} by default.`),
      },
      'text',
    ),
    call: async (given, call) => text(await found(mount, given, call)),
  };
}

async function found(
  mount: Mount,
  { text: wanted, limit = defaultHits }: Given,
  { context }: BeanCall,
): Promise<string> {
  const sought = String(wanted);
  if (sought.trim() === '') throw new ToolError('The argument text must not be blank.');
  const { beans, isComplete } = await findBeans(mount, sought, context.raw.signal);
  const rows = beans.flatMap(({ name, hits }) =>
    hits.map((hit) => ({ bean: name, at: hit.pointer, in: hit.in, text: hit.text })),
  );
  return fitting(rows.slice(0, Number(limit)), answerCharacters, (shown) => {
    const left = rows.length - shown.length;
    const isAll = isComplete && left === 0;
    const next = isAll
      ? {}
      : { next: `${left === 0 ? 'There may be more' : `${left} more`}; find a longer text, or read a bean` };
    // As the list of beans, names and types are masked.
    return mount.look.ours({ hits: shown, isComplete: isAll, ...next }, 'json').toString();
  });
}

function health(mount: Mount): BeanTool {
  return {
    name: 'health',
    title: 'Health of the application',
    description: `Tells how the running application is: how long it has been up, how much memory it uses, how many beans it has and how many of them are instantiated, and, where the application knows, the state of each of its parts, such as its database, and which add-ons are off and why. Use it first when something does not work or is not there.`,
    annotations,
    inputSchema: { type: 'object', additionalProperties: false },
    async call(_given, { context }) {
      const beans = mount.beans.describe();
      const { rss, heapUsed } = process.memoryUsage();
      const told = {
        ...(await mount.options.health?.(context.context)),
        uptimeSeconds: Math.round(process.uptime()),
        memoryMegabytes: { resident: Math.round(rss / 1e6), heapUsed: Math.round(heapUsed / 1e6) },
        node: process.version,
        beans: { total: beans.length, instantiated: beans.filter(({ instantiated }) => instantiated === true).length },
      };
      return text(mount.look.ours(told, 'json').toString());
    },
  };
}
