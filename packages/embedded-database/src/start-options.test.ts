import { afterEach, describe, expect, it } from 'vitest';
import { planStart } from './start-options.ts';

const { platform } = process;

describe('a start on Windows', () => {
  afterEach(() => {
    Object.defineProperty(process, 'platform', { value: platform });
  });

  it('is refused with what to do instead', () => {
    Object.defineProperty(process, 'platform', { value: 'win32' });
    expect(() => planStart({})).toThrow(
      /On Windows, use WSL 2, or connectDatabase\(\) with a server that runs elsewhere/,
    );
  });
});
