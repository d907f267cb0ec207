import { describe, expect, it } from 'vitest';
import { knownView } from './kinds.ts';

describe('knownView', () => {
  it('recognizes a component by its view', () => {
    class Pool {
      readonly [name: string]: unknown;
      constructor() {
        Object.assign(this, { _clients: [], _idle: [], _pendingQueue: [], options: {} });
      }
    }
    expect(knownView(new Pool())?.name).toBe('pg.Pool');
  });

  it('does not treat an object as a component because it has symbols', () => {
    class Hidden {
      constructor() {
        Object.assign(this, { [Symbol('id')]: 1 });
      }
    }
    expect(knownView(new Hidden())).toBeUndefined();
  });
});
