import { describe, expect, it } from 'vitest';
import { everyWay } from '../../test-fixtures/both-ways.ts';
import { find } from '../find.ts';
import { inspect } from '../inspect.ts';
import type { InspectionOptions } from '../inspection-options.ts';
import { outline } from '../outline.ts';
import { LearnedTexts } from './learned-texts.ts';

/** The JSON of a bean, the same whoever writes it. */
function shown(bean: unknown, options: InspectionOptions = {}): unknown {
  const [plain, ...others] = everyWay(bean, options);
  for (const other of others) expect(other).toBe(plain);
  const [plainXml, ...othersXml] = everyWay(bean, { ...options, format: 'xml' });
  for (const other of othersXml) expect(other).toBe(plainXml);
  return JSON.parse(plain as string);
}

class Condition {
  readonly select: string;

  constructor(select: string) {
    this.select = select;
  }
}

/** As ioredis has it: the password stands once more before its own key, and under a name that tells nothing. */
const client = (password: string) => ({ condition: new Condition(password), options: { host: 'h', password } });

describe('a text that is masked because of its key', () => {
  it('is masked wherever else it occurs as a whole, also before that key', () => {
    expect(shown(client('redisHunter2pw'))).toEqual({
      condition: { select: '******' },
      options: { host: 'h', password: '******' },
    });
    expect(shown({ list: ['word', 'words'], set: new Set(['word']), token: 'word' })).toEqual({
      list: ['******', 'words'],
      set: ['******'],
      token: '******',
    });
    expect(shown({ a: 'abc', token: 'abc' })).toEqual({ a: 'abc', token: '******' });
  });

  it('is masked as a part of other texts and keys from twelve characters on', () => {
    const bean = (password: string) => ({ note: `it is ${password}!`, [`key ${password}`]: 1, password });
    expect(shown(bean('postgres'))).toEqual({ note: 'it is postgres!', 'key postgres': 1, password: '******' });
    expect(shown(bean('postgres-123'))).toEqual({ note: 'it is ******!', 'key ******': 1, password: '******' });
    expect(shown({ postgres: 1, password: 'postgres' })).toEqual({ postgres: 1, password: '******' });
  });

  it.each(['a word of many', '1-2-3-4-5-6-7', 'many_x0041_more', 'ends-with-more_', 'plus+and/more='])(
    'is masked as a key that XML escapes, and as a part of one: %s',
    (password) => {
      expect(shown({ password, [password]: 1 })).toEqual({ password: '******', '******': 1 });
      expect(inspect({ password, [password]: 1 }, { format: 'xml' }).toString()).toContain('<_x002A__x002A_');
      expect(shown({ password, [`k${password}.`]: 1 })).toEqual({ password: '******', 'k******.': 1 });
    },
  );

  it('is learned from maps, lists, plain data and named items', () => {
    const bean = {
      copies: ['in-a-map', 'in-a-list', 'in-a-set', 'listed-flag', 'deep-1234', 'admin', 'own-key', 'editor'],
      map: new Map([['token', 'in-a-map']]),
      tokens: ['in-a-list', new Set(['in-a-set'])],
      argv: ['--password', 'listed-flag'],
      credentials: { role: 'admin', id: 'deep-1234', secret: 'own-key', roles: ['editor'], all: new Set(['admin']) },
    };
    expect(shown(bean)).toMatchObject({
      copies: ['******', '******', '******', '******', '******', 'admin', '******', 'editor'],
      credentials: { role: '******' },
    });
  });

  it('is learned when a name or key beside it is secret', () => {
    const variables = [
      { name: 'DB_PASSWORD', value: 'hunter22' },
      { key: 'apiKey', value: 'hunter33' },
      { name: 'region', value: 'eu' },
    ];
    expect(shown({ variables, copy: 'hunter22' })).toEqual({
      variables: [
        { name: 'DB_PASSWORD', value: '******' },
        { key: 'apiKey', value: '******' },
        { name: 'region', value: 'eu' },
      ],
      copy: '******',
    });
    const revealed = { name: 'token', value: 'hunter22' };
    expect(shown(revealed, { reveal: ['token'] })).toEqual(revealed);
    const named = { name: 'iban', value: 'DE02100500000054540402' };
    expect(shown(named, { mask: ['/a', 'iban'] })).toEqual({ name: 'iban', value: '******' });
  });

  it('is learned from arguments of an AUTH call, as superagent and ioredis keep them', () => {
    const calls = [
      { fn: 'auth', args: ['hunter22', 'hunter33'] },
      { name: 'auth', args: ['hunter44'] },
      { method: 'setCookie', params: ['hunter55', { id: 1 }] },
      { command: 'LOGIN', args: ['hunter66'] },
      { name: 'authorization', values: ['hunter77'] },
      { fn: 'get', args: ['/path'] },
      { method: 'getTokenBalances', params: ['latest'] },
    ];
    expect(shown({ calls })).toEqual({
      calls: [
        { fn: 'auth', args: ['******', '******'] },
        { name: 'auth', args: ['******'] },
        { method: 'setCookie', params: ['******', { id: 1 }] },
        { command: 'LOGIN', args: ['******'] },
        { name: 'authorization', values: ['******'] },
        { fn: 'get', args: ['/path'] },
        { method: 'getTokenBalances', params: ['latest'] },
      ],
    });
    expect(shown(calls[1], { getters: 'none', from: 1 })).toEqual({ args: ['******'] });
    expect(JSON.stringify(outline({ calls }, { levels: 4 }))).not.toContain('hunter');
  });

  it('is learned from the private parts of a JSON Web Key', () => {
    const shownParts = { crv: 'P-256', x: 'public-x', n: 'public-n', e: 'AQAB' };
    const key = { kty: 'RSA', ...shownParts, d: 'hide-d', p: 'hide-p', q: 'hide-q', dp: 'hide-dp', k: 'hide-k' };
    const hidden = { d: '******', p: '******', q: '******', dp: '******', k: '******' };
    expect(shown(key)).toEqual({ kty: 'RSA', ...shownParts, ...hidden });
    expect(shown(new Map([[1, key]]))).toEqual({ 1: { kty: 'RSA', ...shownParts, ...hidden } });
    expect(shown({ d: 'distance', p: 'page', k: 'kind' })).toEqual({ d: 'distance', p: 'page', k: 'kind' });
  });

  it('is not learned when it is a setting such as true or include', () => {
    expect(shown({ a: 'include', b: 'true', credentials: 'include', token: 'true' })).toMatchObject({
      a: 'include',
      b: 'true',
    });
  });

  it('is not learned when its key is revealed, and is when the application masks the key', () => {
    const bean = { a: 'shown-text', token: 'shown-text', iban: 'hidden-text', b: 'hidden-text' };
    expect(shown(bean, { reveal: ['token'], mask: ['iban'] })).toEqual({
      a: 'shown-text',
      token: 'shown-text',
      iban: '******',
      b: '******',
    });
    expect(shown(bean, { reveal: ['/token'], mask: ['/iban'] })).toMatchObject({ a: 'shown-text', b: '******' });
  });

  it('is masked in a part of the value, in outlines and previews, and cannot be found', async () => {
    const bean = client('redisHunter2pw');
    expect(inspect(bean, { at: '/condition' }).toString()).toBe('{"select":"******"}');
    expect(outline(bean, { at: '/condition' }).entries[0]).toMatchObject({ kind: 'masked' });
    expect(outline(bean).entries[0]?.preview).toBe('{ select: ****** }');
    expect((await find(bean, 'Hunter2')).hits).toEqual([]);
    expect((await find(bean, 'select')).hits).toHaveLength(1);
  });

  it.each([{ depth: 1 }, { limit: 1 }, { from: 1 }, { at: '/0' }])(
    'is masked with %o, although its key is not shown',
    (options) => {
      const text = 'hunter2hunter2';
      const value = [[text, text], [{ deep: { password: text } }], text];
      for (const format of ['json', 'xml'] as const)
        expect(inspect(value, { ...options, format }).toString()).not.toContain(text);
    },
  );

  it('is learned without running code of the bean, and from each object once', () => {
    let calls = 0;
    const trapped = new Proxy({}, { ownKeys: () => [String(calls++)], get: () => calls++ });
    const bean: Record<string, unknown> = {
      trapped,
      token: 'word',
      get once() {
        return calls++;
      },
    };
    bean.self = bean;
    expect(inspect(bean).toString()).toContain('"token":"******"');
    expect(calls).toBe(1);
    // The document is begun anew where it has shown what was learned.
    bean.copy = 'word';
    expect(inspect(bean).toString()).toContain('"copy":"******"');
    expect(calls).toBe(3);
  });

  it('is looked for near the root of a large bean, in slices, and within a budget', async () => {
    const rows = new Map(Array.from({ length: 300_000 }, (_, index) => [index, { index, text: 'copy-of-it' }]));
    const bean = { rows, last: { password: 'copy-of-it' } };
    let document = '';
    for await (const chunk of inspect(bean)) document += chunk.toString();
    expect(document).not.toContain('copy-of-it');
    const cut = inspect(bean, { budget: 0 });
    expect(JSON.parse(cut.toString())).toBeDefined();
    expect(cut.truncated).toBe(true);
  }, 60_000);
});

describe('what one document has learned', () => {
  const learned = (...texts: readonly string[]) => {
    const all = new LearnedTexts();
    for (const text of texts) all.add(text);
    return all;
  };

  it('is shared only when another document has learned all of it', () => {
    expect(learned('hunter22').isWithin(learned('hunter22', 'correct horse'))).toBe(true);
    expect(learned('hunter22', 'correct horse').isWithin(learned('hunter22'))).toBe(false);
    expect(learned().isWithin(learned())).toBe(true);
  });
});
