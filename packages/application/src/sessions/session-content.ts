import type { Session } from './session.ts';
import type { SessionAttributes, SessionRecord } from './session-store.ts';

/** What the caller's own session holds, as the bean `session`. The id is not part of it: who knows it has the session. */
export class SessionContent {
  readonly #record: SessionRecord | undefined;

  private constructor(record: SessionRecord | undefined) {
    this.#record = record;
  }

  /** Looks without making or prolonging anything. */
  static async of(session: Session): Promise<SessionContent> {
    return new SessionContent(await session.record());
  }

  get attributes(): SessionAttributes {
    return this.#record?.attributes ?? new Map();
  }

  /** In epoch milliseconds, unless a request comes before. */
  get expires(): number | null {
    return this.#record?.expires ?? null;
  }

  /** Whether nothing has been stored yet. */
  get isNew(): boolean {
    return this.#record === undefined;
  }
}
