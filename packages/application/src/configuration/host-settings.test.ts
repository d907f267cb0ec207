import { expect, it } from 'vitest';
import { hostSettings } from './host-settings.ts';
import { InvalidValue } from './setting.ts';

const { sessions: sessionSettings } = hostSettings;

it('the settings of the host have defaults that they would themselves accept', () => {
  for (const [section, settings] of Object.entries(hostSettings)) {
    for (const [key, setting] of Object.entries(settings)) {
      if (setting.default === undefined) continue;
      expect(setting.parse(setting.default), `${section}.${key}`).toEqual(setting.default);
    }
  }
});

it.each(['short', 'x'.repeat(31)])('rejects the weak secret %j', (secret) => {
  expect(() => sessionSettings.secret.parse(secret)).toThrow(InvalidValue);
  expect(() => sessionSettings.previousSecrets.parse([secret, 'y'.repeat(32)])).toThrow(InvalidValue);
});

it('accepts secrets that are long enough', () => {
  expect(sessionSettings.secret.parse('x'.repeat(32))).toBe('x'.repeat(32));
  expect(sessionSettings.previousSecrets.parse(`${'x'.repeat(32)},${'y'.repeat(32)}`)).toHaveLength(2);
});

it.each(['', 'a b', 'a=b', 'a;b', 'ä', 'x'.repeat(65)])('rejects the cookie name %j', (name) => {
  expect(() => sessionSettings.cookieName.parse(name)).toThrow(InvalidValue);
});
