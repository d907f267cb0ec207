import { Problem, type ProblemForm, type ProblemOptions } from '@jig/http/problem';

export type { ProblemForm } from '@jig/http/problem';

/** An answer that is an error, in the form that was asked for. It never repeats what the client sent. */
export class BeanProblem extends Problem {
  override readonly name = 'BeanProblem';
  declare readonly form: ProblemForm;

  constructor(status: number, detail: string, options: ProblemOptions & { readonly form: ProblemForm }) {
    super(status, { ...options, detail });
  }
}

/** Beans may throw anything, also a proxy, which throws when it is asked what it is. */
export function isBeanProblem(thrown: unknown): thrown is BeanProblem {
  try {
    return thrown instanceof BeanProblem;
  } catch {
    return false;
  }
}
