import { describe, expect, it } from 'vitest';
import { shown, written } from '../test-fixtures/shown.ts';
import { find } from './find.ts';
import { outline } from './outline.ts';

/** As Express makes its applications. */
function application() {
  function app(): void {}
  return Object.assign(app, { settings: { etag: 'weak', password: 'hunter2pw' }, get: () => app, locals: {} });
}

describe('a function with properties of its own', () => {
  it('is an object of type `function` with its name', () => {
    expect(shown(application())).toEqual({ settings: { etag: 'weak', password: '******' }, locals: {} });
    expect(written(application(), { format: 'xml' })).toMatch(/^<function_x0020_app><settings>/);
    expect(
      written(
        Object.assign(() => 1, { a: 1 }),
        { format: 'xml' },
      ),
    ).toBe('<function><a>1</a></function>');
    expect(written({ app: application() }, { at: '/app/settings/etag' })).toBe('"weak"');
  });

  it('is a container in an outline, and is searched', async () => {
    const app = application();
    const [row] = outline({ app, other: () => 1 }).entries;
    expect(row).toMatchObject({ key: 'app', kind: 'object', type: 'function app', size: 2, canOpen: true });
    expect(row?.preview).toBe('{ settings: Object, locals: Object }');
    expect(outline({ list: [app] }).entries[0]?.preview).toBe('[function app]');
    expect((await find({ app }, 'weak')).hits).toMatchObject([{ pointer: '/app/settings/etag' }]);
    expect((await find({ app }, 'function app')).hits).toMatchObject([{ pointer: '/app', in: 'type' }]);
  });

  it('teaches secrets by its keys, and is masked behind a secret key and closed by closed', () => {
    const app = application();
    expect(shown({ copy: 'hunter2pw', app })).toMatchObject({ copy: '******' });
    expect(shown({ app: [app] }, { mask: ['app'] })).toEqual({ app: '******' });
    expect(shown({ app }, { closed: new Set([app]) })).toEqual({ app: '[Closed]' });
  });

  it('runs no code of a proxy, and shows no getter of Function', () => {
    const handler = new Proxy({}, { get: () => expect.unreachable() });
    expect(shown([new Proxy(application(), handler)])).toEqual(['[Proxy]']);
    expect(shown(Object.assign(function old() {}, { a: 1 }))).toEqual({ a: 1 });
  });
});
