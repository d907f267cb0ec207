import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hostileCauses } from '../../../../test/frameworks/conformance/beans.ts';
import { errorText, guardCallback, logError } from './report-error.ts';

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

describe('guardCallback', () => {
  const fail = () => {
    throw new Error('out of order');
  };

  it.each([
    ['throws', fail],
    ['returns a promise that is rejected', (): unknown => Promise.reject(new Error('out of order'))],
  ])('writes to the console that the function %s', async (_how, callback) => {
    const write = vi.spyOn(console, 'error').mockImplementation(() => {});
    guardCallback('onReady', callback)();
    await expect.poll(() => write.mock.calls.length).toBe(1);
    expect(write.mock.calls[0]?.[0]).toMatch(/^bean inspection: onReady failed and was ignored\. Error: out of order/);
  });
});
