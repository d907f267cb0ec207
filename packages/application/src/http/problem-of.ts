import { hasJigCode } from '../errors.ts';
import { isProblemStatus, Problem } from './problem.ts';

const shortly = { 'retry-after': '2' };

/** Errors of ours that a client meets, and what they are in HTTP. All statuses are given here and nowhere else. */
const problemsByCode: Readonly<Record<string, () => Problem>> = {
  JIG_SESSION_STORE_UNAVAILABLE: () =>
    new Problem(503, {
      detail: 'Sessions can be neither read nor stored right now; please try again shortly.',
      headers: shortly,
    }),
  JIG_SESSION_TOO_BIG: () =>
    new Problem(413, { detail: 'The session would hold too much, so nothing of this was stored.' }),
  FST_ERR_BAD_URL: () => new Problem(400, { detail: 'The address is malformed.' }),
  FST_ERR_CTP_EMPTY_TYPE: () => new Problem(415, { detail: 'The body needs a content type.' }),
};

/** What a thrown value is to the client. Anything unknown is a 500 that says nothing of its inside, even if looking at it throws again. */
export function problemOf(thrown: unknown): Problem {
  try {
    return knownProblem(thrown);
  } catch {
    return new Problem(500);
  }
}

function knownProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  const { code, statusCode } = (thrown ?? {}) as { code?: unknown; statusCode?: unknown };
  if (typeof code === 'string' && Object.hasOwn(problemsByCode, code)) {
    return problemsByCode[code]?.() ?? new Problem(500);
  }
  if (hasJigCode(thrown) && isTemporary(thrown)) return new Problem(503, { headers: shortly, cause: thrown });
  const isOfFramework = typeof code === 'string' && code.startsWith('FST_');
  return isOfFramework && isProblemStatus(statusCode) ? new Problem(statusCode) : new Problem(500, { cause: thrown });
}

/** By its property, since packages that know nothing of the host have error classes of their own. */
function isTemporary(error: Error): boolean {
  return (error as { readonly isTemporary?: unknown }).isTemporary === true;
}
