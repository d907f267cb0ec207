import { describe, expect, it } from 'vitest';
import { formatProblem, Problem } from './problem.ts';

describe('a Problem', () => {
  it.each([399, 600, 404.5, Number.NaN])('refuses the status %d', (status) => {
    expect(() => new Problem(status)).toThrow(RangeError);
  });

  it('has the property statusCode for error handlers of Fastify', () => {
    expect(new Problem(418).statusCode).toBe(418);
  });

  it('rejects extensions that are not JSON', () => {
    expect(() => new Problem(400, { extensions: { amount: 1n } })).toThrow(TypeError);
  });

  const problem = new Problem(402, {
    type: 'https://example.com/out-of-credit',
    detail: 'It costs 50 & you have 30.',
    extensions: { balance: 30, accounts: ['/a', { id: '<b>' }], status: 200, 'not a name': 1, none: null },
  });

  it('is written as JSON with its type and extension members', () => {
    const { headers, body } = formatProblem(problem, 'json');
    expect(headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(body)).toEqual({
      type: 'https://example.com/out-of-credit',
      title: 'Payment Required',
      status: 402,
      detail: 'It costs 50 & you have 30.',
      balance: 30,
      accounts: ['/a', { id: '<b>' }],
      'not a name': 1,
      none: null,
    });
  });

  it('is written as XML with its type and extension members', () => {
    expect(formatProblem(problem, 'xml').body).toBe(
      '<problem xmlns="urn:ietf:rfc:7807"><type>https://example.com/out-of-credit</type><title>Payment Required</title><status>402</status><detail>It costs 50 &#38; you have 30.</detail><balance>30</balance><accounts><i>/a</i><i><id>&#60;b&#62;</id></i></accounts><none></none></problem>',
    );
  });

  it('replaces characters that XML cannot contain', () => {
    const { body } = formatProblem(new Problem(400, { title: 'a\0', detail: '\ud800 \u001b]\r\n😀' }), 'xml');
    expect(body).toContain('<title>a\ufffd</title>');
    expect(body).toContain('<detail>\ufffd \ufffd]\r\n😀</detail>');
  });

  it('is written as a page with its text escaped, and with links if there are some', () => {
    const { headers, body } = formatProblem(problem, 'html', [{ title: 'A & B', path: '/"', description: '<c>' }]);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body).toContain('<p>It costs 50 &#38; you have 30.</p>');
    expect(body).toContain('<a href="/&#34;"><strong>A &#38; B</strong><span>&#60;c&#62;</span></a>');
    expect(formatProblem(problem, 'html').body).not.toContain('<ul>');
  });
});
