import { expect, it } from 'vitest';
import { logExcerpt } from './startup-errors.ts';

it('logExcerpt gives the errors of a PostgreSQL without the times', () => {
  const lines = [
    '2026-11-15 06:50:28.980 UTC [6348] FATAL:  could not access file "nothing": No such file or directory',
    '2026-11-15 06:50:28.982 UTC [6348] LOG:  database system is shut down',
  ];
  expect(logExcerpt(lines)).toBe('FATAL: could not access file "nothing": No such file or directory');
});

it('logExcerpt gives the last lines when none is an error, and nothing when there are none', () => {
  expect(logExcerpt(['one', 'two', '', 'three', 'four'])).toBe('two / three / four');
  expect(logExcerpt([])).toBe('');
});
