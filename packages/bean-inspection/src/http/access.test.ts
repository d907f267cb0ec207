import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { nodeRequest } from '../mounts/node.ts';
import { isToken } from '../options.ts';
import { Access, type AccessRules } from './access.ts';
import { BeanProblem } from './problem.ts';
import type { InspectionRequest } from './request.ts';

describe('isToken', () => {
  it.each(['twelve-chars', '!~'.repeat(6)])('is true of %s', (text) => expect(isToken(text)).toBe(true));

  it.each(['eleven-char', '', 'twelve chars', 'twelve-chars\n', 'zwölf-zeichen', 'twelve\u007fchars'])(
    'is false of %j',
    (text) => expect(isToken(text)).toBe(false),
  );
});

it.each([
  ['clock', 'clock', true],
  ['clock', 'clocks', false],
  ['*', '', true],
  ['data*', 'database', true],
  ['*Store', 'sessionStore', true],
  ['a*a', 'a', false],
  ['a*b*a', 'aba', true],
  ['a*b*b*c', 'abc', false],
  ['a*c', 'a\nc', true],
  ['a.c', 'abc', false],
  ['\\^$.+?()[]{}|', '\\^$.+?()[]{}|', true],
])('the pattern %j matches the name %j: %s', (pattern, name, matches) => {
  const access = new Access({ hosts: [], allow: [pattern], deny: [] }, String);
  expect(access.isOpen(name)).toBe(matches);
});

describe('the rules', () => {
  const rules = (given: Partial<AccessRules>) =>
    new Access({ hosts: [], allow: [], deny: [], ...given }, (option) => `the option ${option}`);

  /** The status, the sentence and the headers of a refusal; undefined when there is none. */
  function refusalOf(attempt: () => void): readonly unknown[] | undefined {
    try {
      attempt();
      return undefined;
    } catch (thrown) {
      if (!(thrown instanceof BeanProblem)) throw thrown;
      return [thrown.status, thrown.message, thrown.headers];
    }
  }

  function refusal(access: Access, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') {
    const all = { host: 'localhost', ...headers };
    const raw = { headers: all, rawHeaders: Object.entries(all).flat(), socket: { remoteAddress } };
    const request: InspectionRequest = {
      raw: nodeRequest(raw as unknown as IncomingMessage),
      url: '/jig/bean',
      prefix: '/jig',
      path: 'bean',
      host: all.host,
      context: undefined,
    };
    return refusalOf(() => access.check(request));
  }

  it('allow this machine, and tell others which option to set', () => {
    expect(refusal(rules({}))).toBeUndefined();
    const [status, detail] = refusal(rules({}), {}, '192.0.2.7') ?? [];
    expect(status).toBe(403);
    expect(detail).toBe(
      'Beans are shown on this machine only, over localhost and not through a proxy (HTTP/1.0 is treated as proxied); set the option token to look from elsewhere.',
    );
  });

  it('reject an unknown host name, in any case, and name the option hosts', () => {
    const host = 'beans.example';
    expect(refusal(rules({ hosts: ['Beans.Example'] }), { host })).toBeUndefined();
    expect(refusal(rules({}), { host })?.slice(0, 2)).toEqual([
      403,
      'Beans are not shown under this host name; add it to the option hosts, or use localhost.',
    ]);
  });

  it('reject pages of other sites, also with the token', () => {
    const access = rules({ token: 'a token of 12 or more' });
    expect(refusal(access, { 'sec-fetch-site': 'cross-site' })?.slice(0, 2)).toEqual([
      403,
      'Beans are not shown to pages of other sites; open the address itself in the browser.',
    ]);
  });

  describe('with a token', () => {
    const access = rules({ token: 'token:with-colon' });
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

    it.each([
      'Bearer token:with-colon',
      'bearer  token:with-colon',
      basic('ada:token:with-colon'),
      basic(':token:with-colon'),
    ])('accept %s from any machine', (authorization) =>
      expect(refusal(access, { authorization }, '192.0.2.7')).toBeUndefined(),
    );

    it.each([
      '',
      'Bearer',
      'Bearertoken:with-colon',
      'Bearer token:with-colon x',
      'Digest token:with-colon',
      basic('token:with-colon'),
      basic('without a colon'),
      basic('ada:other'),
    ])('reject %s, also from this machine, and name what is needed', (authorization) => {
      expect(refusal(access, { authorization })).toEqual([
        401,
        'This needs the token in the option token: as Authorization: Bearer, or as the password of Basic with any name.',
        { 'www-authenticate': 'Basic realm="beans", charset="UTF-8", Bearer realm="beans"' },
      ]);
    });

    it('reject the token as the user name of Basic without a password', () => {
      const authorization = basic('a-plain-token');
      expect(refusal(rules({ token: 'a-plain-token' }), { authorization })?.[0]).toBe(401);
    });

    it('reject a request without Authorization', () => expect(refusal(access)?.[0]).toBe(401));
  });

  it.each([
    [{}, 'clock', true],
    [{ allow: ['cl*'] }, 'clock', true],
    [{ allow: ['cl*', 'pool'] }, 'pool', true],
    [{ allow: ['cl*'] }, 'pool', false],
    [{ deny: ['pool', '*Store'] }, 'sessionStore', false],
    [{ deny: ['pool'] }, 'clock', true],
    [{ allow: ['*'], deny: ['pool'] }, 'pool', false],
  ])('%j: the bean %s is open: %s', (given, bean, isOpen) => {
    const access = rules(given);
    expect(access.isOpen(bean)).toBe(isOpen);
    const refused = refusalOf(() => access.checkBean(bean))?.slice(0, 2);
    expect(refused).toEqual(
      isOpen ? undefined : [403, 'This bean is closed; the option allow and the option deny say which are.'],
    );
  });
});
