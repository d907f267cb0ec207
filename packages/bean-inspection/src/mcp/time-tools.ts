import type { Comparison } from '../compare/snapshots.ts';
import { kindOf, type Row } from '../compare/table.ts';
import type { InspectionRequest } from '../http/request.ts';
import type { Mount } from '../mount.ts';
import { type RecordedValue, watchLimits } from '../watch/recorder.ts';
import { type Range, ranges, summarize, toJson } from '../watch/rings.ts';
import { beanName, existingBean, integer, readingTool, takes, text } from './bean-tools.ts';
import { fitting } from './bounded-document.ts';
import { type Tool, ToolError } from './mcp-server.ts';

/** The changes of a bean since a snapshot, which the bean browser shows too. */
export const compareBean = (mount: Mount): Tool<InspectionRequest> =>
  readingTool({
    name: 'compare_bean',
    title: 'Compare a bean with an earlier look',
    description: `Tells what changed in a bean since an earlier look: values that were added, removed or changed, each with its JSON Pointer. Use it to see what an action does to the state: call it without since, which keeps how the bean is now and answers with a snapshot; do the action, or ask the user to; then call it again with that snapshot as since. Each call without since keeps another snapshot and compares nothing; the newest ten are there, until the application stops. A difference with isTooMuch is a container in which more changed than is listed: read it by read_bean. Example: {"name": "cart"}, then {"name": "cart", "since": "3"}.`,
    inputSchema: takes(
      { name: beanName, since: text(300, 'The snapshot to compare with; without it, one is kept.') },
      'name',
    ),
    async tell({ name, since }, call) {
      const bean = String(name);
      const { signal, instance } = call;
      // Closed and unknown beans are refused as when they are read.
      existingBean(mount, bean, call);
      if (typeof since === 'string')
        return toText(await mount.snapshots.compare({ from: since.split('@', 1)[0] ?? '', bean, signal }));
      const { id, time } = await mount.snapshots.keep({ bean, wait: 0, signal });
      // The next call may reach another instance, which finds the snapshot by this.
      const snapshot = instance === undefined ? id : `${id}@${instance.id}`;
      const next = `call again with since="${snapshot}" to see what changed; a call without since keeps another snapshot`;
      return JSON.stringify({ snapshot, time, next });
    },
  });

function toText({ from, to, beans }: Comparison): string {
  const rows = beans.flatMap((bean) => bean.rows.map(written));
  return fitting(rows, (differences, left) => {
    const next = `${left} more; read the bean by read_bean`;
    const answer = { since: from.time, until: to.time, total: rows.length, differences };
    return JSON.stringify({ ...answer, ...(left > 0 && { next }) });
  });
}

const written = (row: Row) => {
  const [before, now] = row.values;
  return { at: row.pointer, kind: kindOf(row), before: short(before), now: short(now) };
};

/** How many characters of a value are shown. */
const valueCharacters = 1000;

/** A value; of a long one, the beginning as a text. */
function short(value: unknown): unknown {
  const json = JSON.stringify(value) ?? '';
  if (json.length <= valueCharacters) return value;
  return `${json.slice(0, valueCharacters)} [${json.length - valueCharacters} more characters]`;
}

/** A value over time; it is recorded from the first call on, by the recorder that the pages show too. */
export const history = (mount: Mount): Tool<InspectionRequest> =>
  readingTool({
    name: 'history',
    title: 'A value over time',
    description: `Tells how a number of a bean has moved in the last minutes: at most 60 points with minimum, mean and maximum, and when it crossed a limit. Name the value by reading (the name of a reading, as read_bean tells them before the document) or by at (a JSON Pointer to a number, a boolean, or a container, whose size it is then). A value that is not recorded yet is recorded from this call on: call again later. Up to ${watchLimits.values} values are recorded, for 24 hours, until the application stops. Example: {"name": "pool", "reading": "waiting", "minutes": 10}.`,
    inputSchema: takes(
      {
        name: beanName,
        at: { type: 'string', maxLength: 4000, description: 'A JSON Pointer (RFC 6901) to the value.' },
        reading: text(500, 'A reading, in place of at.'),
        minutes: integer(1, 24 * 60, 'How far to look back; 5 by default.'),
      },
      'name',
    ),
    async tell({ name, at, reading, minutes = 5 }) {
      if ((at === undefined) === (reading === undefined))
        throw new ToolError('Give one of the arguments at and reading.');
      const bean = String(name);
      const address = typeof at === 'string' ? { bean, at } : { bean, reading: String(reading) };
      const { recorder } = mount;
      const known = recorder.find(address);
      const steps = lately(known ?? recorder.watch(address), Number(minutes), Date.now());
      const next = 'it was not recorded; it is from now on, so call again later';
      return JSON.stringify({ ...steps, ...(known === undefined && { next }) });
    },
  });

const rangeOf = (minutes: number): Range => (minutes <= 5 ? '5m' : minutes <= 60 ? '1h' : '24h');

/** At most 60 steps; a plot of a day has twice as many. */
function lately(value: RecordedValue, minutes: number, now: number): object {
  const range = rangeOf(minutes);
  const stepMs = ranges[range].drawnMs * (range === '24h' ? 2 : 1);
  const summary = summarize(value, range, now, stepMs);
  const from = now - minutes * 60_000;
  const steps = summary.steps.filter((step) => step !== undefined && step.time + stepMs > from);
  return { minutes, stepSeconds: stepMs / 1000, ...toJson(value, { ...summary, steps }) };
}
