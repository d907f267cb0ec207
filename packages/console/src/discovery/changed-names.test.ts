import { describe, expect, it } from 'vitest';
import { changedNames } from './changed-names.ts';

describe('changedNames', () => {
  it.each([
    'seen.set("a", 1);',
    'this.seen.push(1);',
    'seen[key] = 1;',
    'seen.count += 1;',
    'seen.count++;',
    'delete seen.a;',
    'seen = new Map();',
  ])('takes %s for a change', (text) => expect(changedNames(text)).toContain('seen'));

  it.each([
    'const seen = new Map();',
    'let seen = [];',
    'if (seen.a === 1 || seen.b == 2) use(seen.get("a"));',
    'const f = (seen) => seen.size >= 1;',
  ])('takes %s for none', (text) => expect(changedNames(text)).not.toContain('seen'));

  it('takes no longer for a long word than for a short one', () => {
    // With a step for each of its letters and each of these again, it would take minutes.
    expect(changedNames(`${'x'.repeat(1e6)} ${'y'.repeat(1e6)}.push(1)`).size).toBe(1);
  });
});
