import type { IncomingMessage } from 'node:http';
import { type BeanInspectionOptions, Inspector } from './mounts/inspector.ts';
import type { Inspectable } from './sources/plain.ts';

export type { BeanInspectionOptions } from './mounts/inspector.ts';

/** Beans of a worker thread that can be seen. */
export interface SharedBeans {
  /** They can be seen no more. */
  close(): void;
}

/** Shows the beans of a worker thread, or of a process without a server, by the mounts of the same application: `shareBeans({ queue })`. */
export function shareBeans(source: Inspectable<IncomingMessage>, options: BeanInspectionOptions = {}): SharedBeans {
  return new Inspector(source, options, { contextOf: (request) => request });
}
