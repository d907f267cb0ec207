import { describe, expect, it } from 'vitest';
import { written } from '../test-fixtures/both-ways.ts';
import { find } from './find.ts';
import { inspect } from './inspect.ts';
import { outline } from './outline.ts';

/** As Express makes its applications. */
function application() {
  function app(): void {}
  return Object.assign(app, { settings: { etag: 'weak', password: 'hunter2pw' }, get: () => app, locals: {} });
}

describe('a function with properties of its own', () => {
  it('is an object of type `function` with its name', () => {
    expect(written(application())).toBe('{"settings":{"etag":"weak","password":"******"},"locals":{}}');
    expect(written(application(), { format: 'xml' })).toMatch(/^<function_x0020_app><settings>/);
    expect(
      written(
        Object.assign(() => 1, { a: 1 }),
        { format: 'xml' },
      ),
    ).toBe('<function><a>1</a></function>');
    expect(inspect({ app: application() }, { at: '/app/settings/etag' }).toString()).toBe('"weak"');
  });

  it('is a container in an outline, and is searched', async () => {
    const app = application();
    const shown = outline({ app, other: () => 1 });
    expect(shown.entries).toMatchObject([{ key: 'app', kind: 'object', type: 'function app', size: 2, canOpen: true }]);
    expect(shown.entries[0]?.preview).toBe('{ settings: Object, locals: Object }');
    expect(outline([app]).entries[0]?.type).toBe('function app');
    expect(outline({ list: [app] }).entries[0]?.preview).toBe('[function app]');
    expect(outline(app, { at: '/settings' }).size).toBe(2);
    const { hits } = await find({ app }, 'weak');
    expect(hits.map(({ pointer }) => pointer)).toEqual(['/app/settings/etag']);
    expect((await find({ app }, 'function app')).hits).toMatchObject([{ pointer: '/app', in: 'type' }]);
  });

  it('teaches secrets by its keys, and is masked behind a secret key and closed by closed', () => {
    const app = application();
    const document = written({ note: 'it is hunter2pw-x', copy: 'hunter2pw', app });
    expect(document).not.toContain('"hunter2pw"');
    expect(written({ app: [app] }, { mask: ['app'] })).toBe('{"app":"******"}');
    expect(written({ app }, { closed: new Set([app]) })).toBe('{"app":"[Closed]"}');
  });

  it('runs no code of a proxy, and shows no getters of Function', () => {
    let traps = 0;
    const handler = new Proxy({}, { get: () => traps++ });
    expect(written([new Proxy(application(), handler)])).toBe('["[Proxy]"]');
    expect([written(Object.assign(function old() {}, { a: 1 })), traps]).toEqual(['{"a":1}', 0]);
  });
});
