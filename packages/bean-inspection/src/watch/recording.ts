import { pointerTokens } from '@jig/inspect/internal';
import type { BeanController } from '../beans/bean-controller.ts';
import { BeanProblem } from '../http/problem.ts';
import { ProcessBean } from '../process/process-bean.ts';
import { processView } from '../process/process-view.ts';
import { processName } from '../process/with-process.ts';
import { readingsOf } from '../readings/readings.ts';
import { Recorder, type RecorderOptions, type WatchedReading, watchLimits } from './recorder.ts';

/** What a mount knows of recording. */
export type RecordingOptions = Pick<RecorderOptions, 'onThreshold' | 'keepSnapshot' | 'clock'> & {
  /** What is recorded from the start. */
  readonly watch: readonly WatchedReading[];
};

const recorders = new WeakMap<object, Recorder>();

/** The recorder of a controller; the same for all that ask. Its mount says first what to do with crossings. */
export function recorderOf<Context>(
  controller: BeanController<Context>,
  { watch, ...options }: RecordingOptions = withoutMount,
): Recorder {
  const known = recorders.get(controller);
  if (known !== undefined) return known;
  const readings = readingsOf(controller);
  const recorder = new Recorder({
    ...options,
    check(address, form) {
      // The pages show it to others.
      if ('at' in address && controller.documentOptions().masking?.text(address.at) !== address.at)
        throw new BeanProblem(403, 'This cannot be watched: its pointer holds a secret.', { form });
      readings.check(address, form);
    },
    read: (address) => readings.read(address),
  });
  recorders.set(controller, recorder);
  for (const { over, under, ...address } of watch) recorder.record(address, { over, under });
  // What the process does is measured only where somebody wants to know.
  if (watch.some(({ bean }) => bean === processName)) controller.begin();
  return recorder;
}

const withoutMount: RecordingOptions = {
  watch: [],
  onThreshold: () => {},
  keepSnapshot: () => Promise.reject(new Error('There is no mount.')),
};

const looked = new WeakSet<object>();
const mainReadings = Object.keys(processView.readings ?? {}).slice(0, 6);

/** From the first look of a person on, the process itself is recorded; once, since values can be removed. */
export function recordProcess<Context>(controller: BeanController<Context>): void {
  if (looked.has(controller)) return;
  looked.add(controller);
  const found = controller.lookUp(processName);
  // The application may have a bean of that name.
  if (typeof found !== 'object' || !(found.value instanceof ProcessBean)) return;
  const recorder = recorderOf(controller);
  for (const reading of mainReadings) if (!recorder.isFull) recorder.begin({ bean: processName, reading });
}

/** What the option `watch` must be, to end a sentence with. */
export const watchRule = `a list of at most ${watchLimits.values} values such as { "bean": "pool", "reading": "waiting", "over": 5 }, with reading or at (a JSON Pointer), and over and under if wanted`;

/** The option `watch`; undefined when it is not as it must be. */
export function parseWatch(given: unknown): readonly WatchedReading[] | undefined {
  if (!Array.isArray(given) || given.length > watchLimits.values) return undefined;
  return given.every(isWatched) ? given : undefined;
}

function isWatched(given: unknown): given is WatchedReading {
  if (typeof given !== 'object' || given === null) return false;
  const { bean, at, reading, over, under } = given as Readonly<Record<string, unknown>>;
  const isText = (text: unknown) => typeof text === 'string' && text !== '';
  const isPointer = typeof at === 'string' && pointerTokens(at) !== undefined;
  const isLimit = (limit: unknown) => limit === undefined || Number.isFinite(limit);
  const isAddress = at === undefined ? isText(reading) : isPointer && reading === undefined;
  return isText(bean) && isAddress && isLimit(over) && isLimit(under);
}
