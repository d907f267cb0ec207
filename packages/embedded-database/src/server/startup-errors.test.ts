import { expect, it } from 'vitest';
import { explain, logExcerpt } from './startup-errors.ts';

it('logExcerpt gives the errors of a PostgreSQL without the times', () => {
  const lines = [
    '2026-11-15 06:50:28.980 UTC [6348] FATAL:  could not access file "nothing": No such file or directory',
    '2026-11-15 06:50:28.982 UTC [6348] LOG:  database system is shut down',
  ];
  expect(logExcerpt(lines)).toBe('FATAL: could not access file "nothing": No such file or directory');
});

it('explain and logExcerpt tell why no port can be opened', () => {
  const lines = (reason: string) => [
    `LOG:  could not bind IPv4 address "127.0.0.1": ${reason}`,
    'FATAL:  could not create any TCP/IP sockets',
  ];
  const taken = explain(lines('Address already in use'), { dataFolder: '/data', port: 80 });
  expect(taken).toMatchObject({ code: 'JIG_DATABASE_PORT_TAKEN', message: expect.stringContaining('The port 80 ') });
  expect(explain(lines('Permission denied'), { dataFolder: '/data', port: 80 })).toBeUndefined();
  expect(logExcerpt(lines('Permission denied'))).toContain(
    'could not bind IPv4 address "127.0.0.1": Permission denied',
  );
});

it('logExcerpt gives the last lines when none is an error, and nothing when there are none', () => {
  expect(logExcerpt(['one', 'two', '', 'three', 'four'])).toBe('two / three / four');
  expect(logExcerpt([])).toBe('');
});
