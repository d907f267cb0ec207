import { type Glance, InspectError } from '@jig/inspect';
import { type ListedBean, listWithLines } from '../beans/bean-list.ts';
import { findBeans } from '../beans/bean-search.ts';
import { kindOf, type Row } from '../compare/table.ts';
import {
  choice,
  flag,
  integer,
  largestCounts,
  type Parameters,
  type ParameterValues,
  pointer,
  required,
  text,
} from '../http/parameters.ts';
import { isBeanProblem } from '../http/problem.ts';
import type { InspectionRequest } from '../http/request.ts';
import type { Mount } from '../mount.ts';
import { type RecordedValue, watchLimits } from '../watch/recorder.ts';
import { type Range, ranges, summarize, toJson } from '../watch/rings.ts';
import { answerCharacters, boundedDocument, fitRows } from './bounded-document.ts';
import { type Tool, type ToolCall, ToolError } from './mcp-server.ts';

/** All tools, in the order in which a model best learns them. */
export const toolsOf = (mount: Mount): readonly Tool<InspectionRequest>[] => [
  listBeans(mount),
  readBean(mount),
  find(mount),
  health(mount),
  compareBean(mount),
  history(mount),
];

/** The request of a call. */
type BeanCall = ToolCall<InspectionRequest>;

/** A tool that returns texts. */
interface BeanTool<Table extends Parameters> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: Table;
  readonly run: (given: ParameterValues<Table>, call: BeanCall) => Promise<string | readonly string[]>;
}

/** For clients that ask a person before anything that could change something. */
export const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** A tool that only reads. Problems are returned to the model. */
function readingTool<Table extends Parameters>(tool: BeanTool<Table>): Tool<InspectionRequest> {
  const { name, title, description, parameters, run } = tool;
  const all = Object.entries(parameters);
  const requiredNames = all.flatMap(([each, { isRequired }]) => (isRequired ? [each] : []));
  const fallbacks = Object.fromEntries(all.map(([each, { fallback }]) => [each, fallback]));
  return {
    name,
    title,
    description,
    annotations,
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(all.map(([each, { description, schema }]) => [each, { ...schema, description }])),
      ...(requiredNames.length > 0 && { required: requiredNames }),
    },
    async call(given, call) {
      try {
        const texts = [await run({ ...fallbacks, ...given } as ParameterValues<Table>, call)].flat();
        return { content: texts.map((each) => ({ type: 'text', text: each })) };
      } catch (error) {
        throw isBeanProblem(error) ? new ToolError(error.message) : error;
      }
    },
  };
}

const beanName = required(text('The name of the bean, exactly.', 500));
const at = { ...text('A JSON Pointer (RFC 6901) to a part, such as /idle/0; all of it by default.'), schema: pointer };

const contains = (what: string) => text(`Only beans whose ${what} contains this text, in any case.`, 500);

const includes = (value: string, wanted = '') => value.toLowerCase().includes(wanted.toLowerCase());

const listBeans = (mount: Mount) =>
  readingTool({
    name: 'list_beans',
    title: 'List beans',
    description: `Lists the beans (live components) of the running application: name, type, scope, owner (the package or module that defines it), whether it is instantiated, what it depends on and what depends on it, and a line on its present state. Start here, and use it to answer which components there are, who uses what, or why something is not there: a bean that is not instantiated was not required yet, and one that is not listed was never defined, or is not open to you. Example: {"type": "pool"} lists all connection pools.`,
    parameters: {
      name: contains('name'),
      type: contains('type'),
      owner: contains('owner'),
      from: integer('How many beans to pass over; 0 by default.', 0, 1_000_000, 0),
    },
    async run({ name, type, owner, from }, { context }) {
      const { beans: all } = await listWithLines(mount, context.prefix);
      const found = all.filter(
        (bean) => includes(bean.name, name) && includes(bean.type, type) && includes(bean.owner, owner),
      );
      return fitRows(found.slice(from).map(toListed), (beans, left) => {
        const next = `${left} more; call again with from=${from + beans.length}, or narrow it`;
        // As in the list itself, names and types are masked.
        return mount.look.ours({ total: found.length, beans, ...(left > 0 && { next }) }, 'json').toString();
      });
    },
  });

/** How many dependencies and dependents of a bean are named. */
const namedBeans = 20;

/** As sets, as in the list itself: in an array, a name after `DATABASE_TOKEN` would be masked as its value. */
const truncateNames = (names: readonly string[]) =>
  new Set(names.length <= namedBeans ? names : [...names.slice(0, namedBeans), `[${names.length - namedBeans} more]`]);

const toListed = ({
  name,
  type,
  line,
  scope,
  owner,
  instantiated,
  dependencies,
  dependents,
  replaced,
}: ListedBean) => ({
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

/** How many characters of each string a document shows. */
const textLimit = 2000;

/** Room for the sentences after a document, with pointers. */
const restCharacters = 1500;

function readBean(mount: Mount) {
  const largest = largestCounts(mount.look.limits);
  const [maxDepth, maxEntries] = [Math.min(64, largest.depth), Math.min(1000, largest.limit)];
  const usual = { depth: Math.min(4, maxDepth), limit: Math.min(50, maxEntries) };
  return readingTool({
    name: 'read_bean',
    title: 'Read a bean',
    description: `Reads the present state of one bean by its name, as JSON or XML. Use it once you know the name, from list_beans or find. Where something is known of its class, such as the connections of a pool, a text before the document tells that. A big bean is shown in part, and a text after it says which arguments show the rest: at (a JSON Pointer to a part), from (the next entries), depth, limit. Reading creates no bean. Markers such as [Depth limit], [12 more] and ****** (a masked secret) are not part of the state. Example: {"name": "pool", "at": "/idle/0", "depth": 2}.`,
    parameters: {
      name: beanName,
      at,
      depth: integer(`How many containers deep to look; ${usual.depth} by default.`, 1, maxDepth, usual.depth),
      limit: integer(`How many entries of each container; ${usual.limit} by default.`, 1, maxEntries, usual.limit),
      from: integer('How many entries of the container at `at` to pass over; 0 by default.', 0, 1_000_000_000, 0),
      format: choice('json by default.', ['json', 'xml']),
      raw: flag('Whether objects are shown as they are, without what is known of their classes; false by default.'),
    },
    async run({ name, at: path = '', format, ...asked }, call) {
      const value = existingBean(mount, name, call);
      const glance = path === '' && asked.from === 0 ? glanceText(mount.look.glance(value)) : '';
      const form = format === 'xml' ? 'xml' : 'json';
      const excerpt = { ...mount.look.options(), ...asked, at: path, format: form, text: textLimit } as const;
      const maxCharacters = answerCharacters - restCharacters - glance.length;
      try {
        const { document, rest } = await boundedDocument(value, excerpt, maxCharacters, call.signal);
        return [glance, document, rest].filter((each) => each !== '');
      } catch (error) {
        if (!(error instanceof InspectError) || error.code !== 'JIG_INSPECTION_PART_MISSING') throw error;
        throw new ToolError(
          'The bean has nothing at that JSON Pointer now, or it was not reached in time; read it without at, or with the beginning of it.',
        );
      }
    },
  });
}

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

/** How many names to suggest for an unknown one. */
const suggestions = 5;

/** A bean that exists; nothing is created, so that tools are read-only. */
function existingBean(mount: Mount, name: string, { context }: BeanCall): unknown {
  const found = mount.beans.find(name);
  if (typeof found === 'object') return found.value;
  if (found === 'closed') throw new ToolError(mount.access.closedBeanMessage);
  if (found === 'not created')
    throw new ToolError(
      `This bean was not created yet, and reading creates none. Do in the application what needs it, or let somebody create it, by the button of its page or by POST ${context.prefix}/bean/{name}, which runs its constructor; then read again. A bean of scope request or transient is never kept, so it cannot be read. list_beans shows which beans are instantiated.`,
    );
  const names = mount.beans.describe().map((bean) => bean.name);
  const similar = names.filter((each) => includes(each, name) || includes(name, each)).slice(0, suggestions);
  const hint = similar.length === 0 ? '' : ` Similar names: ${similar.map((each) => JSON.stringify(each)).join(', ')}.`;
  throw new ToolError(`There is no bean of that name; list_beans lists all.${hint}`);
}

const find = (mount: Mount) =>
  readingTool({
    name: 'find',
    title: 'Find in beans',
    description: `Finds where a text occurs in the beans that exist: in their names and types, and in the keys and values of their state, in any case. Each hit has the bean, and the JSON Pointer to pass to read_bean as at. Use it when you know a value (an identifier, a host name, a message) and not where it is. Secrets are masked before the search, so they cannot be found. Example: {"text": "db.example"}.`,
    parameters: {
      text: required(text('The text to find.', 200)),
      limit: integer('How many hits to show; 50 by default.', 1, 500, 50),
    },
    async run({ text: wanted, limit }, { context }) {
      const { beans, isComplete } = await findBeans(mount, wanted, context.raw.signal);
      const rows = beans.flatMap(({ name, hits }) =>
        hits.map((hit) => ({ bean: name, at: hit.pointer, in: hit.in, text: hit.text })),
      );
      return fitRows(rows.slice(0, limit), (hits) => {
        const left = rows.length - hits.length;
        const isAll = isComplete && left === 0;
        const next = `${left === 0 ? 'There may be more' : `${left} more`}; find a longer text, or read a bean`;
        // As in the list of beans, names and types are masked.
        return mount.look.ours({ hits, isComplete: isAll, ...(!isAll && { next }) }, 'json').toString();
      });
    },
  });

const health = (mount: Mount) =>
  readingTool({
    name: 'health',
    title: 'Health of the application',
    description: `Tells how the running application is: how long it has been up, how much memory it uses, how many beans it has and how many of them are instantiated, and, where the application knows, the state of each of its parts, such as its database, and which add-ons are off and why. Use it first when something does not work or is not there.`,
    parameters: {},
    async run(_given, { context }) {
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
  });

/** The changes of a bean since a snapshot, which the bean browser shows too. */
const compareBean = (mount: Mount) =>
  readingTool({
    name: 'compare_bean',
    title: 'Compare a bean with an earlier look',
    description: `Tells what changed in a bean since an earlier look: values that were added, removed or changed, each with its JSON Pointer. Use it to see what an action does to the state: call it without since, which keeps how the bean is now and answers with a snapshot; do the action, or ask the user to; then call it again with that snapshot as since. Each call without since keeps another snapshot and compares nothing; the newest ten are there, until the application stops. A difference with isTooMuch is a container in which more changed than is listed: read it by read_bean. Example: {"name": "cart"}, then {"name": "cart", "since": "3"}.`,
    parameters: { name: beanName, since: text('The snapshot to compare with; without it, one is kept.', 300) },
    async run({ name: bean, since }, call) {
      const { signal, instance } = call;
      // Closed and unknown beans are refused as when they are read.
      existingBean(mount, bean, call);
      if (since) {
        const { from, to, beans } = await mount.snapshots.compare({ from: since.split('@', 1)[0] ?? '', bean, signal });
        const rows = beans.flatMap((each) => each.rows.map(toDifference));
        return fitRows(rows, (differences, left) => {
          const next = left > 0 ? `${left} more; read the bean by read_bean` : undefined;
          return JSON.stringify({ since: from.time, until: to.time, total: rows.length, differences, next });
        });
      }
      const { id, time } = await mount.snapshots.keep({ bean, wait: 0, signal });
      // The next call may reach another instance, which finds the snapshot by this.
      const snapshot = instance === undefined ? id : `${id}@${instance.id}`;
      const next = `call again with since="${snapshot}" to see what changed; a call without since keeps another snapshot`;
      return JSON.stringify({ snapshot, time, next });
    },
  });

function toDifference(row: Row): object {
  const [before, now] = row.values;
  return { at: row.pointer, kind: kindOf(row), before: shortened(before), now: shortened(now) };
}

/** How many characters of a value are shown. */
const valueCharacters = 1000;

/** A value; of a long one, the beginning as a text. */
function shortened(value: unknown): unknown {
  const json = JSON.stringify(value) ?? '';
  if (json.length <= valueCharacters) return value;
  return `${json.slice(0, valueCharacters)} [${json.length - valueCharacters} more characters]`;
}

/** A value over time; it is recorded from the first call on, by the recorder that the pages show too. */
const history = (mount: Mount) =>
  readingTool({
    name: 'history',
    title: 'A value over time',
    description: `Tells how a number of a bean has moved in the last minutes: at most 60 points with minimum, mean and maximum, and when it crossed a limit. Name the value by reading (the name of a reading, as read_bean tells them before the document) or by at (a JSON Pointer to a number, a boolean, or a container, whose size it is then). A value that is not recorded yet is recorded from this call on: call again later. Up to ${watchLimits.values} values are recorded, for 24 hours, until the application stops. Example: {"name": "pool", "reading": "waiting", "minutes": 10}.`,
    parameters: {
      name: beanName,
      at: { ...at, description: 'A JSON Pointer (RFC 6901) to the value.' },
      reading: text('A reading, in place of at.', 500),
      minutes: integer('How far to look back; 5 by default.', 1, 24 * 60, 5),
    },
    async run({ name: bean, at: path, reading, minutes }) {
      if ((path === undefined) === (reading === undefined))
        throw new ToolError('Give one of the arguments at and reading.');
      const address = reading === undefined ? { bean, at: path ?? '' } : { bean, reading };
      const { recorder } = mount;
      const known = recorder.find(address);
      const steps = recentValues(known ?? recorder.watch(address), minutes, Date.now());
      const next = 'it was not recorded; it is from now on, so call again later';
      return JSON.stringify({ ...steps, ...(known === undefined && { next }) });
    },
  });

const rangeOf = (minutes: number): Range => (minutes <= 5 ? '5m' : minutes <= 60 ? '1h' : '24h');

/** At most 60 steps; a plot of a day has twice as many. */
function recentValues(value: RecordedValue, minutes: number, now: number): object {
  const range = rangeOf(minutes);
  const stepMs = ranges[range].drawnMs * (range === '24h' ? 2 : 1);
  const summary = summarize(value, range, now, stepMs);
  const from = now - minutes * 60_000;
  const steps = summary.steps.filter((step) => step !== undefined && step.time + stepMs > from);
  return { minutes, stepSeconds: stepMs / 1000, ...toJson(value, { ...summary, steps }) };
}
