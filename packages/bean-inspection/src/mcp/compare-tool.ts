import type { BeanController } from '../bean-controller.ts';
import { type Comparison, SnapshotError, snapshotsOf } from '../compare/snapshots.ts';
import type { InspectionRequest } from '../request-origin.ts';
import type { BeanReader } from './bean-reader.ts';
import { annotations, fitting, nameLength, text } from './bean-tools.ts';
import { type Tool, ToolError } from './mcp-server.ts';

/** What changed in a bean since an agent looked at it, by the snapshots that the bean browser shows too. */
export function compareBean<Context>(
  controller: BeanController<Context>,
  reader: BeanReader<Context>,
): Tool<InspectionRequest<Context>> {
  return {
    name: 'compare_bean',
    title: 'Compare a bean with an earlier look',
    description: `Tells what changed in a bean since an earlier look: values that were added, removed or changed, each with its JSON Pointer. Use it to see what an action does to the state: call it without since, which keeps how the bean is now and answers with a snapshot; do the action, or ask the user to; then call it again with that snapshot as since. The newest ten snapshots are kept, until the application stops. Example: {"name": "cart"}, then {"name": "cart", "since": "3"}.`,
    annotations,
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['name'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: nameLength, description: 'The name of the bean, exactly.' },
        since: {
          type: 'string',
          minLength: 1,
          maxLength: 60,
          description: 'The snapshot to compare with; without it, one is kept.',
        },
      },
    },
    async call({ name, since }, call) {
      const bean = String(name);
      // Closed and unknown beans are refused as when they are read.
      reader.existing(bean, call);
      const snapshots = snapshotsOf(controller);
      try {
        if (typeof since !== 'string') {
          const { id, time } = await snapshots.keep({ bean, wait: 0 });
          return text(
            JSON.stringify({ snapshot: id, time, next: `call again with since="${id}" to see what changed` }),
          );
        }
        const comparison = await snapshots.compare({ from: since, bean });
        return text(written(comparison, controller.agents.mcpCharacters));
      } catch (error) {
        throw error instanceof SnapshotError ? new ToolError(error.message) : error;
      }
    },
  };
}

/** How many characters of a value are shown. */
const valueCharacters = 1000;

function short(value: unknown): unknown {
  const json = JSON.stringify(value) ?? 'null';
  return json.length <= valueCharacters
    ? value
    : `${json.slice(0, valueCharacters)} [${json.length - valueCharacters} more characters]`;
}

function written({ from, to, beans }: Comparison, maxCharacters: number): string {
  const differences = beans.flatMap((bean) => bean.differences);
  const rows = differences.map(({ kind, pointer, before, now }) => ({
    at: pointer,
    kind,
    ...(kind === 'added' ? {} : { before: short(before) }),
    ...(kind === 'removed' ? {} : { now: short(now) }),
  }));
  return fitting(rows, maxCharacters, (shown, left) => {
    const next = left === 0 ? {} : { next: `${left} more; read the bean by read_bean` };
    return JSON.stringify({ since: from.time, until: to.time, total: rows.length, differences: shown, ...next });
  });
}
