import { isDeadlineError, withDeadline } from '../deadline.ts';
import { errorMessage, hasJigCode, hostError, type JigError } from '../errors.ts';

/** A part of an application, as messages name it. */
export interface Part {
  readonly kind: 'add-on' | 'feature';
  readonly name: string;
}

/**
 * Runs a step of a part; its error names the part, unless it has a code.
 * @param startTimeout its timer also keeps the process alive: Node exits without a message if only an unsettled promise is left
 */
export async function attempt<Result>(
  part: Part,
  failure: string,
  step: () => Result | Promise<Result>,
  startTimeout?: number,
): Promise<Result> {
  try {
    return await (startTimeout === undefined ? step() : withDeadline('it', startTimeout, step));
  } catch (error) {
    const tookTooLong = isDeadlineError(error);
    if (!tookTooLong && hasJigCode(error)) throw error;
    const hint = tookTooLong ? ' application.startTimeout allows more.' : '';
    throw unusable(part, `${failure}: ${errorMessage(error)}${hint}`, error);
  }
}

/** The error for a part that the application cannot use. */
export function unusable({ kind, name }: Part, why: string, cause?: unknown): JigError {
  if (kind === 'feature')
    return hostError('JIG_FEATURE_UNUSABLE', `The feature ${name} ${why}`, { cause, fields: { feature: name } });
  const sentence = `The add-on ${name} ${why} (addOns.exclude leaves it out)`;
  return hostError('JIG_ADD_ON_UNUSABLE', sentence, { cause, fields: { addOn: name } });
}

interface AddOnReport {
  readonly name: string;
  readonly version: string;
  readonly state: 'on' | 'off';
  readonly because: string;
}

/** The bean `addOns`: which add-ons were found, whether they are on, and why. */
export class AddOns {
  readonly #reports = new Map<string, AddOnReport>();

  report(report: AddOnReport): void {
    this.#reports.set(report.name, report);
  }

  toJSON() {
    return { found: this.found };
  }

  get found(): readonly AddOnReport[] {
    return [...this.#reports.values()];
  }
}
