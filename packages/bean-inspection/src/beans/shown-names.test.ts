import { Masking } from '@jig/inspect';
import { describe, expect, it } from 'vitest';
import { ShownNames } from './shown-names.ts';

const masking = new Masking({ secrets: ['known-secret-9'] });

describe('the shown name of a bean', () => {
  it('is its name, with secrets masked', () => {
    const names = ['clock', 'pool of known-secret-9', 'postgres://app:pw@db/orders', 'db?password=pw1'];
    const shown = new ShownNames(names, masking);
    expect(names.map((name) => shown.of(name))).toEqual([
      'clock',
      'pool of ******',
      'postgres://******@db/orders',
      'db?password=******',
    ]);
    expect(shown.nameOf('pool of ******')).toBe('pool of known-secret-9');
    expect(shown.nameOf('clock')).toBeUndefined();
    expect(shown.of('no bean known-secret-9')).toBe('no bean ******');
  });

  it('is never that of another bean, nor the name of one', () => {
    const names = ['redis://a:one@db', '****** (2)', 'redis://a:two@db', 'known-secret-9', '******'];
    const shown = new ShownNames(names, masking);
    expect(names.map((name) => shown.of(name))).toEqual([
      'redis://******@db',
      '****** (2)',
      'redis://******@db (2)',
      '****** (3)',
      '******',
    ]);
    expect(shown.nameOf('redis://******@db (2)')).toBe('redis://a:two@db');
    expect(shown.nameOf('******')).toBeUndefined();
  });
});
