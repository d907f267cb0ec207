export interface CodedErrorOptions {
  readonly cause?: unknown;
  /** Details for programs, as fields of the error. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Whether a retry may help; over HTTP such an error is a 503. */
  readonly isTemporary?: boolean;
}

/** An error with a code of `docs/errors.md`, one sentence, and details as fields. */
export class CodedError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly isTemporary: boolean;

  constructor(code: Code, sentence: string, { cause, fields, isTemporary = false }: CodedErrorOptions = {}) {
    super(sentence, cause === undefined ? undefined : { cause });
    this.code = code;
    this.isTemporary = isTemporary;
    Object.assign(this, fields);
  }
}

/** The message of a thrown value, for use inside a sentence. */
export function errorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
