import { snapshotLimits } from '../compare/snapshots.ts';
import { BeanProblem } from '../http/problem.ts';
import type { Mount } from '../mount.ts';
import { processView } from '../process/process-view.ts';
import { processName } from '../process/with-process.ts';
import { Recorder } from './recorder.ts';

/** The readings of the process that are recorded when somebody looks. */
export const mainReadings = Object.keys(processView.readings ?? {}).slice(0, 6);

/** The recorder of a mount. It records what the option `watch` names at once. */
export function createRecorder(mount: Mount): Recorder {
  const { watch, onThreshold = () => {} } = mount.options;
  const recorder = new Recorder({
    onThreshold,
    async keepSnapshot(name) {
      const { id } = await mount.snapshots.keep({ name: name.slice(0, snapshotLimits.name) });
      return id;
    },
    check(address) {
      // The pages show it to others.
      if ('at' in address && mount.look.options().masking.text(address.at) !== address.at)
        throw new BeanProblem(403, 'This cannot be watched: its pointer holds a secret.');
      mount.readings.check(address);
    },
    read: (address) => mount.readings.read(address),
  });
  for (const { over, under, ...address } of watch) recorder.record(address, { over, under });
  if (mount.closed.aborted) recorder.close();
  // What the process does is measured only where somebody wants to know.
  if (watch.some(({ bean }) => bean === processName)) mount.start();
  return recorder;
}
