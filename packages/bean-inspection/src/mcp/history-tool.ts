import { isBeanProblem } from '../http/problem.ts';
import type { InspectionRequest } from '../http/request.ts';
import type { Mount } from '../mount.ts';
import { type RecordedValue, watchLimits } from '../watch/recorder.ts';
import { type Range, ranges, summarize, toJson } from '../watch/rings.ts';
import { annotations, beanName, named, text } from './bean-tools.ts';
import { type Tool, ToolError } from './mcp-server.ts';
import { integer, takes } from './tool-arguments.ts';

const longest = 24 * 60;

/** A value over time; it is recorded from the first call on, by the recorder that the pages show too. */
export function history(mount: Mount): Tool<InspectionRequest> {
  return {
    name: 'history',
    title: 'A value over time',
    description: `Tells how a number of a bean has moved in the last minutes: at most 60 points with minimum, mean and maximum, and when it crossed a limit. Name the value by reading (the name of a reading, as read_bean tells them before the document) or by at (a JSON Pointer to a number, a boolean, or a container, whose size it is then). A value that is not recorded yet is recorded from this call on: call again later. Up to ${watchLimits.values} values are recorded, for 24 hours, until the application stops. Example: {"name": "pool", "reading": "waiting", "minutes": 10}.`,
    annotations,
    inputSchema: takes(
      {
        name: beanName,
        at: { type: 'string', maxLength: 4000, description: 'A JSON Pointer (RFC 6901) to the value.' },
        reading: named('A reading, in place of at.'),
        minutes: integer(1, longest, 'How far to look back; 5 by default.'),
      },
      'name',
    ),
    async call({ name, at, reading, minutes = 5 }) {
      if ((at === undefined) === (reading === undefined))
        throw new ToolError('Give one of the arguments at and reading.');
      const bean = String(name);
      const address = typeof at === 'string' ? { bean, at } : { bean, reading: String(reading) };
      const { recorder } = mount;
      const known = recorder.find(address);
      try {
        const value = known ?? recorder.watch(address);
        const begun =
          known === undefined ? { next: 'it was not recorded; it is from now on, so call again later' } : {};
        return text(JSON.stringify({ ...told(value, Number(minutes), recorder.now()), ...begun }));
      } catch (error) {
        throw isBeanProblem(error) ? new ToolError(error.message) : error;
      }
    },
  };
}

const rangeOf = (minutes: number): Range => (minutes <= 5 ? '5m' : minutes <= 60 ? '1h' : '24h');

/** Half as many steps as are drawn of a day, since there are to be 60 at most. */
function told(value: RecordedValue, minutes: number, now: number): object {
  const range = rangeOf(minutes);
  const stepMs = ranges[range].drawnMs * (range === '24h' ? 2 : 1);
  const summary = summarize(value, range, now, stepMs);
  const from = now - minutes * 60_000;
  const steps = summary.steps.filter((step) => step !== undefined && step.time + stepMs > from);
  return { minutes, stepSeconds: stepMs / 1000, ...toJson(value, { ...summary, steps }) };
}
