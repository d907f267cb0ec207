import type { Origin } from './configuration.ts';

/** A value that somebody gave for a key, before anybody looked whether there is such a key. */
export interface GivenValue {
  readonly key: string;
  readonly value: unknown;
  readonly origin: Origin;
}
