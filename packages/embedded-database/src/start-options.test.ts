import { afterEach, expect, it } from 'vitest';
import { planStart } from './start-options.ts';

const { platform } = process;

afterEach(() => {
  Object.defineProperty(process, 'platform', { value: platform });
});

it.each([
  [{ port: 65_536 }, 'port must be a whole number up to 65535, not 65536.'],
  [{ version: 'new' }, 'version must be a number such as 18 or 18.4, not "new".'],
  [{ startTimeout: 0 }, 'startTimeout must be a number of milliseconds, not 0.'],
  [{ locale: 'not a locale' }, 'locale must be a language tag such as en-US, not "not a locale".'],
  [{ user: '' }, 'user must be a name of letters, digits, _ and -, at most 63 bytes, not "".'],
  [
    { database: 'jig_template' },
    'database must be a name of letters, digits, _ and -, at most 63 bytes, not "jig_template".',
  ],
  [{ password: '' }, 'password must not be empty.'],
])('the options %j are refused', (options, sentence) => {
  expect(() => planStart(options)).toThrow(`The option ${sentence}`);
});

it('a start on Windows is refused with what to do instead', () => {
  Object.defineProperty(process, 'platform', { value: 'win32' });
  expect(() => planStart({})).toThrow(
    /On Windows, use WSL 2, or connectDatabase\(\) with a server that runs elsewhere/,
  );
});
