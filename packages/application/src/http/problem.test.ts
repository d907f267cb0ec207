import { describe, expect, it } from 'vitest';
import { toProblem } from './problem.ts';

const thrownWith = (fields: object, message = 'PostgreSQL is restarting.') => Object.assign(new Error(message), fields);

describe('toProblem', () => {
  it('answers 503 with Retry-After for a temporary error with a JIG_ code, of any class', () => {
    const error = thrownWith({ code: 'JIG_DATABASE_NOT_READY', isTemporary: true });
    expect(toProblem(error)).toMatchObject({ status: 503, headers: { 'retry-after': '2' }, cause: error });
  });

  it.each([
    ['is not temporary', { code: 'JIG_DATABASE_NOT_READY', isTemporary: false }],
    ['has only the look of being temporary', { code: 'JIG_DATABASE_NOT_READY', isTemporary: 'yes' }],
    ['has no code of ours', { code: 'ECONNREFUSED', isTemporary: true }],
    ['has a status that is no error', { statusCode: 302 }],
    ['has a status that is no whole number', { statusCode: 404.5 }],
    ['has a status beyond 599', { status: 600 }],
    ['has a status that is a text', { statusCode: '404' }],
  ])('answers 500 without the message for an error that %s', (_how, fields) => {
    const problem = toProblem(thrownWith(fields));
    expect(problem.status).toBe(500);
    expect(problem.detail).not.toContain('PostgreSQL');
  });

  it.each([
    ['statusCode', { statusCode: 409 }, 409],
    ['status', { status: 422 }, 422],
    ['statusCode before status', { statusCode: 429, status: 500 }, 429],
    ['a status that has no name', { statusCode: 499 }, 499],
  ])('answers a 4xx of %s with the message', (_what, fields, status) => {
    expect(toProblem(thrownWith(fields, 'Ordered already.'))).toMatchObject({ status, detail: 'Ordered already.' });
  });

  it('answers a 5xx with its status and without the message', () => {
    const problem = toProblem(thrownWith({ statusCode: 502 }));
    expect([problem.status, problem.title]).toEqual([502, 'Bad Gateway']);
    expect(problem.detail).not.toContain('PostgreSQL');
  });

  it('hides the message of an error with expose: false', () => {
    expect(toProblem(thrownWith({ statusCode: 404, expose: false })).detail).toBe('There is nothing at this address.');
  });

  it('uses the headers of an error', () => {
    const headers = { 'WWW-Authenticate': 'Basic', 'retry-after': 30, rubbish: {} };
    expect(toProblem(thrownWith({ statusCode: 401, headers })).headers).toEqual({
      'www-authenticate': 'Basic',
      'retry-after': '30',
    });
  });

  it('uses the status of the reply if the error has none', () => {
    expect(toProblem(new Error('There is no such order.'), 404)).toMatchObject({
      status: 404,
      detail: 'There is no such order.',
    });
    expect(toProblem(thrownWith({ statusCode: 409 }), 404).status).toBe(409);
    expect(toProblem(new Error('no'), 200).status).toBe(500);
  });

  it.each([
    ['a text', 'no'],
    ['nothing', undefined],
    ['null', null],
  ])('answers 500 for %s', (_what, thrown) => {
    expect(toProblem(thrown).status).toBe(500);
  });

  it('lists the errors of a validator, each with a JSON Pointer', () => {
    const validation = [
      { instancePath: '/items/0', message: 'must be string', params: {} },
      { instancePath: '', message: "must have required property 'a'", params: { missingProperty: 'a' } },
    ];
    const error = thrownWith({ statusCode: 400, validation, validationContext: 'body' }, 'body/items/0 must be string');
    const { status, detail, extensions } = toProblem(error);
    expect({ status, detail, extensions }).toEqual({
      status: 400,
      detail: 'body/items/0 must be string',
      extensions: {
        errors: [
          { in: 'body', pointer: '/items/0', message: 'must be string' },
          { in: 'body', pointer: '', message: "must have required property 'a'" },
        ],
      },
    });
  });
});
