import { CodedError } from '@jig/http/coded-error';

/** The catalogue of session errors, from which `docs/errors.md` is generated. */
export const sessionErrors = {
  JIG_SESSION_OPTION_INVALID: {
    when: 'An option of the session plugin is missing, unknown or wrong.',
    fix: 'Correct the option named.',
  },
  JIG_SESSION_STORE_UNAVAILABLE: {
    when: 'The session store did not answer in time, or failed.',
    fix: 'It is tried again; `/health` names the part that is down.',
  },
  JIG_SESSION_TOO_BIG: {
    when: 'A session would become too large.',
    fix: 'Store less; nothing was stored.',
  },
} as const;

export type SessionErrorCode = keyof typeof sessionErrors;

/** The HTTP statuses of unhandled errors. */
const statusCodes: Readonly<Record<SessionErrorCode, number>> = {
  JIG_SESSION_OPTION_INVALID: 500,
  JIG_SESSION_STORE_UNAVAILABLE: 503,
  JIG_SESSION_TOO_BIG: 413,
};

/** An error of the sessions, with a code of the catalogue above. */
export class SessionError extends CodedError<SessionErrorCode> {
  override readonly name = 'SessionError';
  readonly statusCode: number;

  constructor(code: SessionErrorCode, sentence: string, { cause, ...fields }: Readonly<Record<string, unknown>> = {}) {
    super(code, sentence, { cause, fields, isTemporary: statusCodes[code] === 503 });
    this.statusCode = statusCodes[code];
  }
}

/** Thrown by a store when only this session is damaged. Any other error counts as a failure of the store. */
export class DamagedSessionError extends Error {
  override readonly name = 'DamagedSessionError';
}

/** Compares names, because a store may use another copy of this package. */
export const isDamagedSession = (error: unknown): boolean =>
  error instanceof Error && error.name === 'DamagedSessionError';
