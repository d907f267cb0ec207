import { describe, expect, it } from 'vitest';
import { toProblem } from './problem.ts';

/** As packages throw them that have an error class of their own. */
const thrownWith = (fields: object) => Object.assign(new Error('PostgreSQL is restarting.'), fields);

describe('toProblem', () => {
  it('answers 503 with Retry-After for a temporary error of any class with a code of ours', () => {
    const error = thrownWith({ code: 'JIG_DATABASE_NOT_READY', isTemporary: true });
    expect(toProblem(error)).toMatchObject({ status: 503, headers: { 'retry-after': '2' }, cause: error });
  });

  it.each([
    ['is not temporary', { code: 'JIG_DATABASE_NOT_READY', isTemporary: false }],
    ['has only the look of being temporary', { code: 'JIG_DATABASE_NOT_READY', isTemporary: 'yes' }],
    ['has no code of ours', { code: 'ECONNREFUSED', isTemporary: true }],
  ])('answers 500 for an error that %s', (_how, fields) => {
    expect(toProblem(thrownWith(fields))).toMatchObject({ status: 500 });
  });
});
