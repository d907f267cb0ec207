import { Problem, type ProblemOptions } from '@jig/http/problem';

export type { ProblemForm } from '@jig/http/problem';

/** An answer that is an error. `handle` writes it in the form that was asked for. It never repeats what the client sent. */
export class BeanProblem extends Problem {
  override readonly name = 'BeanProblem';

  constructor(status: number, detail: string, options: Omit<ProblemOptions, 'form' | 'detail'> = {}) {
    super(status, { ...options, detail });
  }
}

/** The title is that of docs/specification.md. @param why what follows it, without a full stop */
export function notFound(why: string): BeanProblem {
  const title = 'Resource not found';
  return new BeanProblem(404, `${title}: ${why}.`, { title, reason: title });
}

/** @param prefix what addresses begin with */
export const noSuchBean = ({ prefix }: { readonly prefix: string }) =>
  notFound(`there is no bean of that name; ${prefix}/bean lists all`);

/** Beans may throw anything, also a proxy, which throws when it is asked what it is. */
export function isBeanProblem(thrown: unknown): thrown is BeanProblem {
  try {
    return thrown instanceof BeanProblem;
  } catch {
    return false;
  }
}
