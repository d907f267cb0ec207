import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hostileCauses } from '../../../../test/frameworks/conformance/beans.ts';
import { errorText, guardCallback, guardOnError, logError } from './report-error.ts';

afterEach(() => void vi.restoreAllMocks());

describe('errorText', () => {
  it('is the text that Node prints of an error, with stack, cause and fields', () => {
    const error = Object.assign(new Error('outer', { cause: new RangeError('inner') }), { code: 'E_OUTER' });
    expect(errorText(error)).toBe(inspect(error));
    expect(errorText(error)).toMatch(/outer.*E_OUTER.*RangeError: inner/s);
  });

  it.each([...hostileCauses])('does not fail when a factory %s', (_name, thrown) => {
    expect(errorText(thrown())).toEqual(expect.any(String));
  });

  it('contains the readable parts of an error that throws when it is read', () => {
    const error = Object.defineProperty(new RangeError('readable'), 'stack', {
      get() {
        throw new Error('the getter stack ran');
      },
    });
    // Newer versions of Node inspect it all the same, and put it in brackets.
    expect(errorText(error)).toMatch(/^\[?RangeError: readable\]?$/);
    const unreadable = {
      get name() {
        throw new Error('name');
      },
      get [Symbol.toStringTag]() {
        throw new Error('tag');
      },
    };
    const told = ['what was thrown cannot be read', '{ name: [Getter], Symbol(Symbol.toStringTag): [Getter] }'];
    expect(told).toContain(errorText(unreadable));
  });
});

describe('logError', () => {
  it('passes an error with the text to a log that cannot read what was thrown', () => {
    const written: unknown[] = [];
    const write = (error: unknown) => written.push(String((error as Error).message));
    logError(write, new Error('plain'));
    logError(write, undefined);
    expect(written).toEqual(['plain', 'undefined']);
  });
});

describe('guardOnError and guardCallback', () => {
  const consoleLines = () => {
    const lines: string[] = [];
    vi.spyOn(console, 'error').mockImplementation((line: unknown) => void lines.push(String(line)));
    return lines;
  };
  const fail = () => {
    throw new Error('out of order');
  };

  it.each([
    ['throws', fail],
    ['returns a promise that is rejected', (): unknown => Promise.reject(new Error('out of order'))],
  ])('write a report to the console once when the function %s', async (_how, report) => {
    const lines = consoleLines();
    guardOnError(report)(new Error('the cause'), 'It failed.');
    guardCallback('onReady', report)('the beans are here');
    await expect.poll(() => lines.length).toBe(2);
    expect(lines[0]).toMatch(/^bean inspection: onError failed \(Error: out of order.*It failed\. Error: the cause/s);
    expect(lines[1]).toMatch(/^bean inspection: onReady failed to report: the beans are here Error: out of order/);
  });
});
