import type { OutgoingHttpHeaders } from 'node:http';
import type { Identity } from './identity.ts';
import type { Target } from './pass-on.ts';

/** Another instance of the application, and how it is reached. */
export interface Instance extends Identity {
  /** Unknown of a peer that did not answer. */
  readonly pid?: number | undefined;
  /** As in ISO 8601. */
  readonly startedAt?: string | undefined;
  readonly target: Target;
  /** What its addresses begin with. */
  readonly prefix: string;
  /** What it wants to be sent beside. */
  readonly headers: OutgoingHttpHeaders;
  /** Why it cannot be asked. */
  readonly fault?: string | undefined;
}

/** `worker 2` before `worker 10`. */
export function sorted<Each extends Identity>(instances: readonly Each[]): readonly Each[] {
  const { compare } = new Intl.Collator('en', { numeric: true });
  return [...instances].sort((a, b) => compare(a.label, b.label) || compare(a.id, b.id));
}
