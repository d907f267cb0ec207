import type { IncomingMessage } from 'node:http';
import { type BeanInspectionOptions, Inspector } from './mounts/inspector.ts';
import type { Inspectable } from './sources/plain.ts';

export type { BeanInspectionOptions } from './mounts/inspector.ts';

/** The shared beans of a worker thread. */
export interface SharedBeans {
  /** Stops sharing them. */
  close(): void;
}

/** Shows the beans of a worker thread, or of a process without a server, through the mounts of the same application: `shareBeans({ queue })`. */
export function shareBeans(source: Inspectable<IncomingMessage>, options: BeanInspectionOptions = {}): SharedBeans {
  return new Inspector(source, options, { contextOf: (request) => request });
}
