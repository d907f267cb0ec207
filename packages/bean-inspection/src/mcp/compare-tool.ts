import type { BeanController } from '../beans/bean-controller.ts';
import { type Difference, differenceJson } from '../compare/differences.ts';
import { type Comparison, SnapshotError, snapshotsOf } from '../compare/snapshots.ts';
import type { InspectionRequest } from '../http/inspection-request.ts';
import { localSnapshot, snapshotId } from '../instances/identity.ts';
import type { BeanReader } from './bean-reader.ts';
import { annotations, beanName, fitting, text } from './bean-tools.ts';
import { type Tool, ToolError } from './mcp-server.ts';
import { takes } from './tool-arguments.ts';

const since = {
  type: 'string',
  minLength: 1,
  maxLength: 300,
  description: 'The snapshot to compare with; without it, one is kept.',
} as const;

/** What changed in a bean since an agent looked at it, by the snapshots that the bean browser shows too. */
export function compareBean<Context>(
  controller: BeanController<Context>,
  reader: BeanReader<Context>,
): Tool<InspectionRequest<Context>> {
  return {
    name: 'compare_bean',
    title: 'Compare a bean with an earlier look',
    description: `Tells what changed in a bean since an earlier look: values that were added, removed or changed, each with its JSON Pointer. Use it to see what an action does to the state: call it without since, which keeps how the bean is now and answers with a snapshot; do the action, or ask the user to; then call it again with that snapshot as since. Each call without since keeps another snapshot and compares nothing; the newest ten are there, until the application stops. A difference with isTooMuch is a container in which more changed than is listed: read it by read_bean. Example: {"name": "cart"}, then {"name": "cart", "since": "3"}.`,
    annotations,
    inputSchema: takes({ name: beanName, since }, 'name'),
    async call({ name, since: from }, call) {
      const bean = controller.shownName(String(name));
      const { signal } = call;
      // Closed and unknown beans are refused as when they are read.
      reader.existing(bean, call);
      const snapshots = snapshotsOf(controller);
      try {
        if (typeof from !== 'string') {
          const kept = await snapshots.keep({ bean, wait: 0, signal });
          const { time } = kept;
          const id = call.instance === undefined ? kept.id : snapshotId(kept.id, call.instance);
          return text(
            JSON.stringify({
              snapshot: id,
              time,
              next: `call again with since="${id}" to see what changed; a call without since keeps another snapshot`,
            }),
          );
        }
        const comparison = await snapshots.compare({ from: localSnapshot(from), bean, signal });
        return text(written(comparison, controller.agents.mcpCharacters));
      } catch (error) {
        throw error instanceof SnapshotError ? new ToolError(error.message) : error;
      }
    },
  };
}

/** How many characters of a value are shown. */
const valueCharacters = 1000;

/** A value that is JSON; a long one as a text, of which the beginning is shown. */
function short(json: string | undefined): string | undefined {
  if (json === undefined || json.length <= valueCharacters) return json;
  const left = json.length - valueCharacters;
  return JSON.stringify(`${json.slice(0, valueCharacters)} [${left} more characters]`);
}

const row = ({ kind, pointer: at, before, now, ...others }: Difference) =>
  differenceJson({ at, kind }, { ...others, before: short(before), now: short(now) });

function written({ from, to, beans }: Comparison, maxCharacters: number): string {
  const rows = beans.flatMap(({ differences }) => differences.map(row));
  return fitting(rows, maxCharacters, (shown, left) => {
    const facts = { since: from.time, until: to.time, total: rows.length };
    const next = left === 0 ? '' : `,"next":"${left} more; read the bean by read_bean"`;
    return `${JSON.stringify(facts).slice(0, -1)},"differences":[${shown.join(',')}]${next}}`;
  });
}
