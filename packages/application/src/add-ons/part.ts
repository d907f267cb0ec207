import { isDeadlineError, withDeadline } from '../deadline.ts';
import { errorMessage, hasJigCode, hostError, type JigError } from '../errors.ts';

/** A part of an application, as messages name it. */
export interface Part {
  readonly kind: 'add-on' | 'feature';
  readonly name: string;
}

/** Runs a step of a part, so that a failure names the part; one with a code says by itself what is wrong. */
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
  readonly lateness: string;
  readonly startTimeout: number;
}

/** As `attempt`, for no longer than a bean may take to start: waiting for what never comes, Node would end without a word. */
export async function attemptInTime<Result>(
  part: Part,
  { failure, lateness, startTimeout }: TimedStep,
  step: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await attempt(part, failure, () => withDeadline('it', startTimeout, step));
  } catch (error) {
    if (!isDeadlineError(error)) throw error;
    throw unusable(part, `${lateness}: ${errorMessage(error)} application.startTimeout allows more.`, error);
  }
}

/** What is said of a part with which the application cannot be. */
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

/** What the bean `addOns` shows: which add-ons were found, whether they are on, and why. */
export class AddOns {
  readonly #reports = new Map<string, AddOnReport>();

  report(report: AddOnReport): void {
    this.#reports.set(report.name, report);
  }

  /** An add-on whose routes are left out is off, whatever else it does. */
  leaveOut(name: string, because: string): void {
    const report = this.#reports.get(name);
    if (report !== undefined) this.#reports.set(name, { ...report, state: 'off', because });
  }

  isOff(name: string): boolean {
    return this.#reports.get(name)?.state === 'off';
  }

  get found(): readonly AddOnReport[] {
    return [...this.#reports.values()];
  }
}
