import { expect, it } from 'vitest';
import { isDiskFull, isLostConnection } from './connection-errors.ts';

it.each([
  [{ code: 'ECONNREFUSED' }, true],
  [{ code: '57P03', message: 'the database system is in recovery mode' }, true],
  [{ code: 'ENOENT', syscall: 'connect' }, true],
  [{ code: 'ENOENT', syscall: 'open' }, false],
  [{ code: '23505' }, false],
  [new Error('Connection terminated unexpectedly'), true],
  [new Error('timeout exceeded when trying to connect'), true],
  [new Error('Query read timeout'), false],
  [undefined, false],
])('isLostConnection distinguishes a database that is down from one that rejects: %j', (error, isLost) => {
  expect(isLostConnection(error)).toBe(isLost);
});

it('isDiskFull recognizes the SQLSTATE of PostgreSQL', () => {
  expect(isDiskFull({ code: '53100' })).toBe(true);
  expect(isDiskFull(null)).toBe(false);
});
