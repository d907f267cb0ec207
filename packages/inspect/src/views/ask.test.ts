import { describe, expect, it } from 'vitest';
import { ask } from './ask.ts';
import { glance } from './glance.ts';
import type { View } from './view.ts';

const viewWith = (read: () => unknown): View => ({
  name: 'v',
  matches: (value): value is object => value !== undefined,
  readings: { jobs: { ask: true, read }, size: { read: () => 3 } },
});

const askFor = (read: () => unknown, timeout?: number) => ask({}, 'jobs', { views: [viewWith(read)], timeout });

describe('ask', () => {
  it('reads a value that lives elsewhere, and a glance shows the last answer', async () => {
    let count = 0;
    const views = [viewWith(async () => ++count)];
    const queue = {};
    expect(await ask(queue, 'jobs', { views })).toMatchObject({ name: 'jobs', ask: true, value: 1 });
    expect(await ask(queue, 'jobs', { views })).toMatchObject({ value: 2 });
    const told = glance(queue, { views });
    expect(told?.readings[0]).toEqual({
      name: 'jobs',
      isSetting: false,
      ask: true,
      askedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      value: 2,
    });
    expect([told?.line, count]).toEqual(['3 size', 2]);
    expect(glance({}, { views })?.readings[0]).not.toHaveProperty('value');
  });

  it('masks an answer, also later, by the secrets of that time', async () => {
    const views = [viewWith(async () => 'redis://me:hunter22@host/')];
    const queue = {};
    expect(await ask(queue, 'jobs', { views })).toMatchObject({ value: 'redis://******@host/' });
    expect(glance(queue, { views, secrets: ['host/'] })?.readings[0]?.value).not.toContain('hunter22');
  });

  it('reports a reading that throws, rejects, or is not a single value', async () => {
    const faultOf = async (read: () => unknown) => (await askFor(read))?.fault;
    expect(await faultOf(() => JSON.parse('{'))).toMatch(/^\[Threw SyntaxError: /);
    expect(await faultOf(() => Promise.reject(new TypeError('gone')))).toBe('[Threw TypeError: gone]');
    expect(await faultOf(async () => ({}))).toBe('it is no single value');
    const noPromise: Record<string, unknown> = {};
    Reflect.set(noPromise, 'then', () => expect.unreachable());
    expect(await faultOf(() => noPromise)).toBe('it is no single value');
  });

  it('stops waiting at the timeout, does not ask again meanwhile, and keeps a late answer', async () => {
    const asked: ((answer: number) => void)[] = [];
    const views = [viewWith(() => new Promise((resolve) => asked.push(resolve)))];
    const queue = {};
    const fault = 'there was no answer within 0.01 s';
    expect(await ask(queue, 'jobs', { views, timeout: 10 })).toMatchObject({ fault });
    expect(glance(queue, { views })?.readings[0]?.fault).toBe(fault);
    const second = ask(queue, 'jobs', { views });
    expect(asked).toHaveLength(1);
    asked[0]?.(7);
    expect(await second).toMatchObject({ value: 7 });
  });

  it('accepts only readings of the view', async () => {
    expect(await ask({}, 'others', { views: [viewWith(() => 1)] })).toBeUndefined();
    expect(await ask({}, 'toString', { views: [viewWith(() => 1)] })).toBeUndefined();
    expect(await ask(3, 'jobs')).toBeUndefined();
  });
});
