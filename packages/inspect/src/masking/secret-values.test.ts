import { describe, expect, it } from 'vitest';
import { everyWay } from '../../test-fixtures/both-ways.ts';
import { find } from '../find.ts';
import { inspect } from '../inspect.ts';
import type { InspectionOptions } from '../inspection-options.ts';
import { outline } from '../outline.ts';

class Service {
  readonly issued = 3;
  readonly algorithm = 'HS256';
  readonly secret = 'planted';
}

/** The JSON of a bean, the same whoever writes it. */
function shown(bean: unknown, options: InspectionOptions = {}): unknown {
  const [plain, ...others] = everyWay(bean, options);
  for (const other of others) expect(other).toBe(plain);
  return JSON.parse(plain as string);
}

describe('what stands behind a secret key', () => {
  it('is shown when it is a number or a boolean, such as prompt_tokens', () => {
    const usage = {
      prompt_tokens: 12,
      total_tokens: 42,
      maxTokens: 4096,
      tokenCount: 3,
      tokenBucket: { capacity: 10 },
    };
    const bean = { usage, passwordResetRequests: 4, cookieConsent: true, tokenRatio: 0.5, tokensLeft: new Date(5) };
    expect(shown(bean)).toEqual({ ...bean, tokensLeft: 5 });
  });

  it('is masked when it is a short numeric secret, but not when it is a boolean', () => {
    const mask = '******';
    expect(
      shown({ pin: 1234, cvv: 123, ssn: 1, otp: 5, password: 99, passwd: true, pinCodes: [1], cards: [{ cvc: 1 }] }),
    ).toEqual({
      pin: mask,
      cvv: mask,
      ssn: mask,
      otp: mask,
      password: mask,
      passwd: true,
      pinCodes: [1],
      cards: [{ cvc: mask }],
    });
    expect(shown({ pin: [1234, { a: 1 }], totp: new Map([['a', 5]]) })).toEqual({
      pin: [mask, { a: mask }],
      totp: { a: mask },
    });
  });

  it('is masked when it is anything that may contain a string', () => {
    const values = ['a', 5n, Symbol('a'), /a/, Buffer.from('a'), new URL('http://a/'), Object('a')];
    for (const token of values) expect(shown({ token })).toEqual({ token: '******' });
    expect(shown({ token: { toJSON: () => 'planted' } })).toEqual({ token: '******' });
    expect(shown(new Map([['token', () => 'a']]))).toEqual({ token: '******' });
    expect(shown({ token: new Proxy({ a: 'planted' }, {}) })).toEqual({ token: '******' });
  });

  it('is entered when it is an instance of a class, whose own keys are judged', () => {
    const service = new Service();
    const entered = { issued: 3, algorithm: 'HS256', secret: '******' };
    expect(
      shown({
        jwt: service,
        tokenService: service,
        passwordHasher: service,
        secretsManager: new Map([['a', service]]),
      }),
    ).toEqual({ jwt: entered, tokenService: entered, passwordHasher: entered, secretsManager: { a: entered } });
    expect(shown({ secrets: [service, 'planted'] })).toEqual({ secrets: [entered, '******'] });
  });

  it('is masked in all strings of plain data, however deep, while numbers are shown', () => {
    const cookie = {
      maxAge: 3600,
      httpOnly: true,
      path: '/',
      nested: { a: ['planted', 1] },
      none: Object.create(null),
    };
    expect(shown({ cookie })).toEqual({
      cookie: { maxAge: 3600, httpOnly: true, path: '/', nested: { a: ['******', 1] }, none: {} },
    });
    expect(shown({ passwords: ['a', 'b'], secrets: new Set(['a']), creds: new Map([['a', 'b']]) })).toEqual({
      passwords: ['******', '******'],
      secrets: ['******'],
      creds: { a: '******' },
    });
    expect(shown({ tokens: new Map<unknown, unknown>([[{ id: 'shown' }, 'planted']]) })).toEqual({
      tokens: [{ key: { id: 'shown' }, value: '******' }],
    });
    const bare = Object.assign(Object.create(null) as object, { user: 'planted', port: 1 });
    expect(shown({ credentials: bare })).toEqual({ credentials: { user: '******', port: 1 } });
  });

  it('is masked in the items of a list that toJSON returns, while an object that it returns is judged by its keys', () => {
    class Made {
      readonly #made: unknown;
      constructor(made: unknown) {
        this.#made = made;
      }
      toJSON() {
        return this.#made;
      }
    }
    expect(shown({ tokens: new Made(['planted']), jwt: new Made({ issuer: 'me', token: 'planted' }) })).toEqual({
      tokens: ['******'],
      jwt: { issuer: 'me', token: '******' },
    });
  });

  it('is read by its getter, and masked when that returns a string or throws', () => {
    class Client {
      get tokenCount() {
        return 3;
      }
      get tokenService() {
        return new Service();
      }
      get token() {
        return 'planted';
      }
      get password(): string {
        throw new Error('planted');
      }
      get tokenOf() {
        return () => 'planted';
      }
    }
    expect(shown(new Client())).toEqual({
      tokenCount: 3,
      tokenService: { issued: 3, algorithm: 'HS256', secret: '******' },
      token: '******',
      password: '******',
    });
  });

  it('is revealed by name, by pattern and by path, also within plain data', () => {
    const bean = {
      credentials: { region: 'eu', id: 'planted' },
      csrfToken: 'c',
      tokens: ['a1', 'b1'],
      cookie: { path: '/' },
    };
    expect(shown(bean, { reveal: ['REGION', /^csrf/, '/tokens/1', 'cookie'] })).toEqual({
      credentials: { region: 'eu', id: '******' },
      csrfToken: 'c',
      tokens: ['******', 'b1'],
      cookie: { path: '/' },
    });
    expect(shown(bean, { reveal: ['region', 'csrf*'] })).toMatchObject({
      credentials: { region: 'eu' },
      csrfToken: 'c',
    });
  });
});

describe('an entry that the application masks by name, pattern or path', () => {
  it('is never read', () => {
    const bean = {
      get iban(): string {
        throw new Error('read');
      },
      accounts: [{ balance: 5, owner: { name: 'planted' } }],
      map: new Map<string, unknown>([['Owner', 1]]),
      list: ['planted', 1],
    };
    const mask = ['iban', 'balance', /^owner$/i, '/list/0'];
    expect(shown(bean, { mask })).toEqual({
      iban: '******',
      accounts: [{ balance: '******', owner: '******' }],
      map: { Owner: '******' },
      list: ['******', 1],
    });
  });

  it('is masked in outlines and parts, and cannot be found', async () => {
    const bean = { account: { iban: 'planted-text', open: 'visible' } };
    const mask = ['iban'];
    const [row] = outline(bean, { mask, at: '/account' }).entries;
    expect(row).toMatchObject({ key: 'iban', kind: 'masked' });
    expect(outline(bean, { mask }).entries[0]?.preview).toBe('{ iban: ******, open: "visible" }');
    expect(inspect(bean, { mask, at: '/account/iban' }).toString()).toBe('"******"');
    expect((await find(bean, 'planted', { mask })).hits).toEqual([]);
    expect((await find(bean, 'visible', { mask })).hits).toHaveLength(1);
  });
});

describe('plain data behind a secret key', () => {
  const bean = { credentials: { user: 'planted', list: [['planted']] }, other: 'visible' };

  it('is masked in outlines, previews and parts, and cannot be found', async () => {
    const { entries } = outline(bean, { levels: 3 });
    expect(JSON.stringify(entries)).not.toContain('planted');
    expect(entries[0]).toMatchObject({ kind: 'object', preview: '{ user: ******, list: Array }' });
    expect(inspect(bean, { at: '/credentials/list' }).toString()).toBe('[["******"]]');
    expect(inspect(bean, { at: '/credentials/list/0/0' }).toString()).toBe('"******"');
    expect(outline(bean, { at: '/credentials/list/0' }).entries[0]).toMatchObject({ kind: 'masked' });
    expect((await find(bean, 'planted')).hits).toEqual([]);
  });
});
