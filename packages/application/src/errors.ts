import { CodedError, type CodedErrorOptions, errorMessage } from '@jig/http/coded-error';

export { type CodedErrorOptions as JigErrorOptions, errorMessage } from '@jig/http/coded-error';

/** The errors of the host and how to fix them. `docs/errors.md` is generated from this. */
export const hostErrors = {
  JIG_SETTING_UNKNOWN: {
    when: 'A section, key, flag or `JIG_…` variable is unknown.',
    fix: 'Correct it; `--help` lists all.',
  },
  JIG_SETTING_INVALID: {
    when: 'A setting has a wrong value.',
    fix: 'Give one as the message describes.',
  },
  JIG_CONFIGURATION_UNREADABLE: {
    when: '`jig.config.json` cannot be read or is not JSON.',
    fix: 'Fix it at the line named, or remove it.',
  },
  JIG_MANIFEST_UNREADABLE: {
    when: 'package.json of the application cannot be read or is not JSON.',
    fix: 'Give its URL as the option `manifest`.',
  },
  JIG_NAME_TAKEN: {
    when: 'Two parts define a bean, a section of settings or a line of `/health` of the same name.',
    fix: 'Rename one, or leave one part out.',
  },
  JIG_BEAN_UNKNOWN: {
    when: 'Nobody defined a needed bean, or its add-on is off.',
    fix: 'Turn on its add-on, or correct the name.',
  },
  JIG_BEAN_CYCLE: {
    when: 'Beans need each other in a circle.',
    fix: 'Let one ask for the other later.',
  },
  JIG_BEAN_NEEDS_REQUEST: {
    when: 'A bean of a request or session is needed outside of one.',
    fix: 'Ask with the request; a singleton cannot depend on it.',
  },
  JIG_BEAN_CREATE_FAILED: {
    when: 'A bean threw while it was created.',
    fix: 'See the cause.',
  },
  JIG_BEAN_START_FAILED: {
    when: 'A bean did not start.',
    fix: 'See the cause.',
  },
  JIG_BEAN_STOP_FAILED: {
    when: 'A bean did not stop properly.',
    fix: 'See the cause.',
  },
  JIG_START_CALLED_OFF: {
    when: 'The application was stopped before it had started.',
    fix: 'Nothing is wrong.',
  },
  JIG_DEADLINE_PASSED: {
    when: 'Something took longer than it was given.',
    fix: 'See what was waited for, or raise the setting named.',
  },
  JIG_FEATURE_UNUSABLE: {
    when: 'A feature failed in `register`, or its routes are refused.',
    fix: 'Fix what the message names.',
  },
  JIG_ADD_ON_UNUSABLE: {
    when: 'An add-on could not be loaded, threw, or its routes are refused.',
    fix: 'Fix, update or exclude it (`addOns.exclude`).',
  },
  JIG_ADDRESS_UNAVAILABLE: {
    when: 'The server could not listen.',
    fix: 'Stop what uses the port, or set `PORT` (0: any free one).',
  },
  JIG_HOME_UNWRITABLE: {
    when: 'The data folder cannot be made or written to.',
    fix: 'Give the user write access, or set `JIG_HOME`.',
  },
  JIG_SESSION_STORE_UNKNOWN: {
    when: 'No part offers the store that `sessions.store` names.',
    fix: 'Name one of the message, or `auto`.',
  },
  JIG_SESSION_SECRET_UNUSABLE: {
    when: 'The secret of session cookies cannot be made, read or used.',
    fix: 'Fix or remove the file named, or set `sessions.secret`.',
  },
} as const;

export type HostErrorCode = keyof typeof hostErrors;

/** An error with a code that `docs/errors.md` explains, one sentence, and details as fields. */
export class JigError extends CodedError {
  override readonly name = 'JigError';
}

/** An error of the host; its code is in the catalogue above. */
export function hostError(code: HostErrorCode, sentence: string, options?: CodedErrorOptions): JigError {
  return new JigError(code, sentence, options);
}

/** The error for two parts that define something of the same name. */
export function nameTaken(what: string, one: string, other: string): JigError {
  const sentence = `The ${what} is defined by both ${one} and ${other}; rename one of them, or leave one of these parts out.`;
  return hostError('JIG_NAME_TAKEN', sentence);
}

/** Whether an error has a code that `docs/errors.md` explains; packages that do not import the host have error classes of their own. */
export function hasJigCode(error: unknown): error is Error & { readonly code: string } {
  try {
    return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('JIG_');
  } catch {
    // Factories may throw anything, such as a revoked proxy; no error of ours has traps.
    return false;
  }
}

/** The sentence for a person whose application did not start, with the code that `docs/errors.md` explains. */
export function startFailure(application: string, error: unknown): string {
  return `${application} could not start: ${errorMessage(error)}${codeOf(error)}`;
}

/** The code of the innermost error that has one, which is the most specific. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return codeOf(error.cause) || (hasJigCode(error) ? ` [${error.code}]` : '');
}
