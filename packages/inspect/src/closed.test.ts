import { describe, expect, it } from 'vitest';
import { everyWay } from '../test-fixtures/both-ways.ts';
import { find } from './find.ts';
import { inspect } from './inspect.ts';
import { outline } from './outline.ts';

class Hidden {
  readonly inside = 'hidden-text';
}

const hidden = new Hidden();
const call = () => undefined;
const date = new Date(86_400_000);
const proxy = new Proxy({ inside: 'hidden-text' }, {});
const closed: ReadonlySet<object> = new Set([hidden, call, date, proxy]);

const bean = {
  hidden,
  list: [hidden, call, date, proxy, () => undefined],
  map: new Map<unknown, unknown>([[hidden, { hidden }]]),
  made: { toJSON: () => hidden },
  open: { inside: 'shown' },
};

describe('what is closed', () => {
  it.each([
    ['json', {}],
    ['json', { proxies: true }],
    ['xml', {}],
    ['xml', { limit: 2, pretty: true }],
    ['xml', { mask: () => false }],
  ] as const)('is a marker wherever it is found, as %s with %j', (format, options) => {
    const [plain = '', ...others] = everyWay(bean, { format, closed, ...options });
    for (const other of others) expect(other).toBe(plain);
    expect(plain).toContain('[Closed]');
    expect(plain).not.toMatch(/hidden-text|Hidden|86400000/);
  });

  it('is a marker in documents', () => {
    expect(JSON.parse(inspect(bean, { closed }).toString())).toEqual({
      hidden: '[Closed]',
      list: ['[Closed]', '[Closed]', '[Closed]', '[Proxy]', '[Function]'],
      map: [{ key: '[Closed]', value: { hidden: '[Closed]' } }],
      made: '[Closed]',
      open: { inside: 'shown' },
    });
  });

  it('can be reached by a pointer, but not entered', () => {
    expect(inspect(bean, { closed, at: '/hidden', format: 'xml' }).toString()).toBe('<String>[Closed]</String>');
    expect(outline(bean, { closed, at: '/list/0' })).toMatchObject({ kind: 'closed', type: '', text: '[Closed]' });
    expect(() => inspect(bean, { closed, at: '/hidden/inside' })).toThrow('leads to nothing');
    expect(() => outline(bean, { closed, at: '/made/inside' })).toThrow('leads to nothing');
    expect(() => outline(hidden, { closed, at: '/inside' })).toThrow('leads to nothing');
  });

  it('is a row of its own kind, without a class and without a preview', () => {
    const { entries } = outline(bean, { closed });
    expect(entries.map(({ key, kind, type, preview }) => [key, kind, type, preview])).toEqual([
      ['hidden', 'closed', '', '[Closed]'],
      ['list', 'array', 'Array', '[[Closed], [Closed], [Closed], …]'],
      ['map', 'map', 'Map', '{ [Closed] → Object }'],
      ['made', 'closed', '', '[Closed]'],
      ['open', 'object', 'Object', '{ inside: "shown" }'],
    ]);
  });

  it('is not found by its content, its class or its marker', async () => {
    for (const text of ['hidden-text', 'Hidden', 'Closed'])
      expect((await find({ bean: [hidden], made: bean.made }, text, { closed })).hits).toEqual([]);
    expect((await find(bean, 'shown', { closed })).hits).toHaveLength(1);
  });
});
