import { describe, expect, it } from 'vitest';
import { hostSettings } from './host-settings.ts';
import { loadConfiguration } from './load.ts';
import { duration, InvalidValue, integer, type Setting, string } from './setting.ts';

const description = 'It is tested.';
const refused = 'refused';
const accepts = (setting: Setting, values: readonly unknown[]) =>
  values.map((value) => {
    try {
      return setting.parse(value);
    } catch (error) {
      return error instanceof InvalidValue ? refused : error;
    }
  });

describe('integer', () => {
  it('accepts a bound on one side, or none', () => {
    const atLeast = integer({ default: 1, minimum: 1, description });
    expect([atLeast.expected, ...accepts(atLeast, [0, 1, '7', 2.5])]).toEqual([
      'an integer of at least 1',
      refused,
      1,
      7,
      refused,
    ]);
    const atMost = integer({ default: 1, maximum: 9, description });
    expect([atMost.expected, ...accepts(atMost, [-3, 10])]).toEqual(['an integer of at most 9', -3, refused]);
    expect(integer({ default: 1, description }).expected).toBe('an integer');
  });
});

describe('duration', () => {
  it('accepts a default and bounds such as 30s', () => {
    const pause = duration({ default: '5s', minimum: '1s', maximum: '2m', description });
    expect([pause.default, pause.show(pause.default)]).toEqual([5000, '5s']);
    expect(accepts(pause, ['1s', '2m', '999ms', '121s'])).toEqual([1000, 120_000, refused, refused]);
    // @ts-expect-error there is no such unit
    expect(duration({ default: '5 weeks', description }).default).toBeNaN();
  });
});

describe('string', () => {
  it('is validated by a function that says what is expected', () => {
    const colour = string({
      default: '#09f',
      description,
      validate: (value) => (/^#[\da-f]{3}$/.test(value) ? undefined : 'a colour such as #09f'),
    });
    const load = (given: string) =>
      loadConfiguration({ page: { colour } }, { file: [], environment: {}, flags: [`--page.colour=${given}`] });
    expect(load('#fff').section('page', { colour })).toEqual({ colour: '#fff' });
    expect(() => load('red')).toThrow(
      'Setting page.colour got "red" (flag --page.colour); expected a colour such as #09f.',
    );
  });
});

describe('server.trustProxy', () => {
  it.each([
    [true, true],
    ['true', true],
    ['off', false],
    ['10.0.0.0/8, ::1', '10.0.0.0/8, ::1'],
    [['loopback', '192.168.1.1'], 'loopback,192.168.1.1'],
  ])('takes %j', (given, value) => expect(hostSettings.server.trustProxy.parse(given)).toEqual(value));
});
