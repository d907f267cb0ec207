import { describe, expect, it } from 'vitest';
import { shown, written } from '../test-fixtures/shown.ts';
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

describe('a closed object', () => {
  it('is a marker in documents', () => {
    expect(shown(bean, { closed })).toEqual({
      hidden: '[Closed]',
      list: ['[Closed]', '[Closed]', '[Closed]', '[Proxy]', '[Function]'],
      map: [{ key: '[Closed]', value: { hidden: '[Closed]' } }],
      made: '[Closed]',
      open: { inside: 'shown' },
    });
    expect(written(bean, { closed, format: 'xml' })).not.toMatch(/hidden-text|Hidden|86400000/);
  });

  it('can be reached by a pointer, but not entered', () => {
    expect(written(bean, { closed, at: '/hidden', format: 'xml' })).toBe('<String>[Closed]</String>');
    expect(outline(bean, { closed, at: '/list/0' })).toMatchObject({ kind: 'closed', type: '', text: '[Closed]' });
    for (const at of ['/hidden/inside', '/made/inside'])
      expect(() => inspect(bean, { closed, at })).toThrow('leads to nothing');
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
