import { describe, expect, it } from 'vitest';
import { CodedError, errorMessage } from './coded-error.ts';

class StoreError extends CodedError<'STORE_FULL'> {
  override readonly name = 'StoreError';
}

describe('CodedError', () => {
  it('has its code, its sentence and its details as fields', () => {
    const cause = new Error('no space');
    const error = new StoreError('STORE_FULL', 'The store is full.', { cause, fields: { size: 3 }, isTemporary: true });
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toBe('StoreError: The store is full.');
    expect(Object.fromEntries(Object.entries(error))).toEqual({
      name: 'StoreError',
      code: 'STORE_FULL',
      isTemporary: true,
      size: 3,
    });
    expect(error.cause).toBe(cause);
  });

  it('is not temporary and has no cause by default', () => {
    const error = new StoreError('STORE_FULL', 'The store is full.');
    expect(error.isTemporary).toBe(false);
    expect('cause' in error).toBe(false);
  });
});

describe('errorMessage', () => {
  it('is the message of an error, otherwise the value as a string', () => {
    expect([new Error('no'), 'no', undefined].map(errorMessage)).toEqual(['no', 'no', 'undefined']);
  });
});
