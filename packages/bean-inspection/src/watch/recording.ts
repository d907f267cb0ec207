import type { BeanController } from '../beans/bean-controller.ts';
import { BeanProblem } from '../http/problem.ts';
import { ProcessBean } from '../process/process-bean.ts';
import { processView } from '../process/process-view.ts';
import { processName } from '../process/with-process.ts';
import { readingsOf } from '../readings/readings.ts';
import { Recorder } from './recorder.ts';
import { type RecordingOptions, recordingOptions } from './recording-options.ts';

const recorders = new WeakMap<object, Recorder>();

/** The recorder of a controller; the same for all that ask. */
export function recorderOf<Context>(controller: BeanController<Context>): Recorder {
  const known = recorders.get(controller);
  if (known !== undefined) return known;
  const { watch, signal, ...options } = recordingOptions.get(controller) ?? withoutMount;
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
  if (signal?.aborted) recorder.close();
  signal?.addEventListener('abort', () => recorder.close());
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
  // The application may have a bean of that name, or want no views.
  if (typeof found !== 'object' || !(found.value instanceof ProcessBean)) return;
  if (!controller.views.some(({ name }) => name === processView.name)) return;
  const recorder = recorderOf(controller);
  for (const reading of mainReadings) if (!recorder.isFull) recorder.begin({ bean: processName, reading });
}
