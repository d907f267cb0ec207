import { Problem, type ProblemOptions } from '@jig/http/problem';

export type { ProblemForm } from '@jig/http/problem';

/** An error that is the answer; `handle` formats it. It never repeats what the client sent. */
export class BeanProblem extends Problem {
  override readonly name = 'BeanProblem';

  constructor(status: number, detail: string, options: Omit<ProblemOptions, 'form' | 'detail'> = {}) {
    super(status, { ...options, detail });
  }
}

/** @param why follows the title, which docs/specification.md prescribes; without a full stop */
export function notFound(why: string): BeanProblem {
  const title = 'Resource not found';
  return new BeanProblem(404, `${title}: ${why}.`, { title, reason: title });
}

export const noSuchBean = ({ prefix }: { readonly prefix: string }) =>
  notFound(`there is no bean of that name; ${prefix}/bean lists all`);

/** Beans may throw anything, also a proxy whose traps throw. */
export function isBeanProblem(thrown: unknown): thrown is BeanProblem {
  try {
    return thrown instanceof BeanProblem;
  } catch {
    return false;
  }
}
