import { expect, it } from 'vitest';
import { lastWords } from './last-words.ts';

it('are the complaints of a PostgreSQL, without the times', () => {
  const lines = [
    '2026-11-15 06:50:28.980 UTC [6348] FATAL:  could not access file "nothing": No such file or directory',
    '2026-11-15 06:50:28.982 UTC [6348] LOG:  database system is shut down',
  ];
  expect(lastWords(lines)).toBe('FATAL: could not access file "nothing": No such file or directory');
});

it('are the complaints of a MariaDB, without the times', () => {
  const lines = ['2026-11-15  6:50:28 0 [Note] Starting', '2026-11-15  6:50:28 0 [ERROR] Aborting', 'bye'];
  expect(lastWords(lines)).toBe('[ERROR] Aborting');
});

it('are the last lines where none is a complaint, and nothing where there is none', () => {
  expect(lastWords(['one', 'two', '', 'three', 'four'])).toBe('two / three / four');
  expect(lastWords([])).toBe('');
});
