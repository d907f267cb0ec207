import type { Comparison } from '../compare/snapshots.ts';
import { kindOf, type Row } from '../compare/table.ts';
import { isBeanProblem } from '../http/problem.ts';
import type { InspectionRequest } from '../http/request.ts';
import type { Mount } from '../mount.ts';
import type { BeanReader } from './bean-reader.ts';
import { annotations, beanName, fitting, text } from './bean-tools.ts';
import { answerCharacters } from './bounded-document.ts';
import { type Tool, ToolError } from './mcp-server.ts';
import { takes } from './tool-arguments.ts';

const since = {
  type: 'string',
  minLength: 1,
  maxLength: 300,
  description: 'The snapshot to compare with; without it, one is kept.',
} as const;

/** What changed in a bean since an agent looked at it, by the snapshots that the bean browser shows too. */
export function compareBean(mount: Mount, reader: BeanReader): Tool<InspectionRequest> {
  return {
    name: 'compare_bean',
    title: 'Compare a bean with an earlier look',
    description: `Tells what changed in a bean since an earlier look: values that were added, removed or changed, each with its JSON Pointer. Use it to see what an action does to the state: call it without since, which keeps how the bean is now and answers with a snapshot; do the action, or ask the user to; then call it again with that snapshot as since. Each call without since keeps another snapshot and compares nothing; the newest ten are there, until the application stops. A difference with isTooMuch is a container in which more changed than is listed: read it by read_bean. Example: {"name": "cart"}, then {"name": "cart", "since": "3"}.`,
    annotations,
    inputSchema: takes({ name: beanName, since }, 'name'),
    async call({ name, since: from }, call) {
      const bean = String(name);
      const { signal } = call;
      // Closed and unknown beans are refused as when they are read.
      reader.existing(bean, call);
      try {
        if (typeof from === 'string') {
          const comparison = await mount.snapshots.compare({ from: from.split('@', 1)[0] ?? '', bean, signal });
          return text(toText(comparison, answerCharacters));
        }
        const { id, time } = await mount.snapshots.keep({ bean, wait: 0, signal });
        // The next call may come to another instance, which knows by this who has it.
        const snapshot = call.instance === undefined ? id : `${id}@${call.instance.id}`;
        const next = `call again with since="${snapshot}" to see what changed; a call without since keeps another snapshot`;
        return text(JSON.stringify({ snapshot, time, next }));
      } catch (error) {
        throw isBeanProblem(error) ? new ToolError(error.message) : error;
      }
    },
  };
}

/** How many characters of a value are shown. */
const valueCharacters = 1000;

/** A value; of a long one, the beginning as a text. */
function short(value: unknown): unknown {
  const json = JSON.stringify(value) ?? '';
  if (json.length <= valueCharacters) return value;
  return `${json.slice(0, valueCharacters)} [${json.length - valueCharacters} more characters]`;
}

const written = (row: Row) => {
  const [before, now] = row.values;
  return { at: row.pointer, kind: kindOf(row), before: short(before), now: short(now) };
};

function toText({ from, to, beans }: Comparison, maxCharacters: number): string {
  const rows = beans.flatMap((bean) => bean.rows.map(written));
  return fitting(rows, maxCharacters, (differences, left) => {
    const next = left === 0 ? {} : { next: `${left} more; read the bean by read_bean` };
    return JSON.stringify({ since: from.time, until: to.time, total: rows.length, differences, ...next });
  });
}
