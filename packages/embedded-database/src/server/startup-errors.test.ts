import { expect, it } from 'vitest';
import { explain, logExcerpt } from './startup-errors.ts';

it('logExcerpt gives the errors of a PostgreSQL without the times', () => {
  const lines = [
    '2026-11-15 06:50:28.980 UTC [6348] FATAL:  could not access file "nothing": No such file or directory',
    '2026-11-15 06:50:28.982 UTC [6348] LOG:  database system is shut down',
  ];
  expect(logExcerpt(lines)).toBe('FATAL: could not access file "nothing": No such file or directory');
});

it.each([
  ['Address already in use', 'JIG_DATABASE_PORT_TAKEN', 'The port 80 for the database is taken.'],
  ['Permission denied', 'JIG_DATABASE_START_FAILED', 'PostgreSQL cannot listen on port 80: Permission denied.'],
])('explain tells why no port can be opened: %s', (reason, code, sentence) => {
  const lines = [
    `LOG:  could not bind IPv4 address "127.0.0.1": ${reason}`,
    'FATAL:  could not create any TCP/IP sockets',
  ];
  const error = explain(lines, { dataFolder: '/data', port: 80 });
  expect([error?.code, error?.message]).toEqual([code, expect.stringContaining(sentence)]);
});

it('logExcerpt gives the last lines when none is an error, and nothing when there are none', () => {
  expect(logExcerpt(['one', 'two', '', 'three', 'four'])).toBe('two / three / four');
  expect(logExcerpt([])).toBe('');
});
