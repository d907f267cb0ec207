import { describe, expect, it } from 'vitest';
import { hostSettings } from './settings.ts';

describe('the settings of the host', () => {
  it('have defaults that they would themselves accept', () => {
    for (const [section, settings] of Object.entries(hostSettings)) {
      for (const [key, setting] of Object.entries(settings)) {
        if (setting.default === undefined) continue;
        expect(setting.parse(setting.default), `${section}.${key}`).toEqual(setting.default);
      }
    }
  });
});
