import { isDeadlineError, withDeadline } from '../deadline.ts';
import { errorMessage, hasJigCode, hostError, type JigError } from '../errors.ts';

/** A part of an application, as messages name it. */
export interface Part {
  readonly kind: 'add-on' | 'feature';
  readonly name: string;
}

/** Runs a step of a part and names the part in the error when it fails; an error with a code is passed on as it is. */
export async function attempt<Result>(
  part: Part,
  failure: string,
  step: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (hasJigCode(error)) throw error;
    throw unusable(part, `${failure}: ${errorMessage(error)}`, error);
  }
}

interface TimedStep {
  readonly failure: string;
  readonly timeoutMessage: string;
  readonly startTimeout: number;
}

/** As `attempt`, with the deadline of a bean's start: while only a promise is pending that never settles, Node exits without a message. */
export async function attemptWithDeadline<Result>(
  part: Part,
  { failure, timeoutMessage, startTimeout }: TimedStep,
  step: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await attempt(part, failure, () => withDeadline('it', startTimeout, step));
  } catch (error) {
    if (!isDeadlineError(error)) throw error;
    throw unusable(part, `${timeoutMessage}: ${errorMessage(error)} application.startTimeout allows more.`, error);
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
