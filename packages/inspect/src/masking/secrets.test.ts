import { describe, expect, it } from 'vitest';
import { Secrets } from './secrets.ts';

describe('Secrets', () => {
  it('masks every secret wherever it occurs, the longest first', () => {
    const secrets = new Secrets();
    secrets.add('hunter22');
    secrets.add('hunter22-and-more');
    expect(secrets.mask('a hunter22 b hunter22-and-more c')).toBe('a ****** b ****** c');
  });

  it('masks the forms that a secret takes in an address and in JSON', () => {
    const secrets = new Secrets();
    secrets.add('p@ss"w/rd\n');
    expect(secrets.mask(`postgres://u:${encodeURIComponent('p@ss"w/rd\n')}@h`)).toBe('postgres://u:******@h');
    expect(secrets.mask(JSON.stringify({ text: 'p@ss"w/rd\n' }))).toBe('{"text":"******"}');
  });

  it('counts each secret once, and creates the finder only once', () => {
    const secrets = new Secrets();
    secrets.add('p@ss"w/rd');
    secrets.add('p@ss"w/rd');
    expect(secrets.count).toBe(1);
    expect(secrets.finder()).toBe(secrets.finder());
  });

  it('accepts any text, even one that no URL can hold', () => {
    const secrets = new Secrets();
    secrets.add('hunter\ud800');
    expect(secrets.mask('a hunter\ud800 b')).toBe('a ****** b');
  });

  it('treats characters of regular expressions literally', () => {
    const secrets = new Secrets();
    secrets.add('a.*[x]+(b)|\\^$');
    expect(secrets.mask('a.*[x]+(b)|\\^$ and axxxxb')).toBe('****** and axxxxb');
  });

  it('returns a text without secrets unchanged, and ignores secrets that are too short', () => {
    const secrets = new Secrets();
    expect(secrets.mask('anything')).toBe('anything');
    secrets.add('abc');
    expect(secrets.mask('abc')).toBe('abc');
    expect(secrets.count).toBe(0);
  });

  it('shows no secret when it is inspected itself', () => {
    const secrets = new Secrets();
    secrets.add('hunter22');
    expect(JSON.stringify(secrets)).toBe('{}');
    expect(Object.keys(secrets)).toEqual([]);
  });

  it('masks a line of JSON so that it stays JSON, also where a secret is made of several values', () => {
    const secrets = new Secrets();
    for (const secret of ['nick-secret', 'said "no"\n', '{"type":"account"}', '4711081547']) secrets.add(secret);
    const line = (value: unknown) => `${JSON.stringify({ level: 40, time: 1, value })}\n`;
    const masked = (value: unknown) => secrets.maskJsonLine(line(value));
    expect(masked('nothing "here"\n')).toBe(line('nothing "here"\n'));
    expect(JSON.parse(masked('a\nick-secret b'))).toHaveProperty('level', 40);
    expect(masked('a\\nick-secret b')).toBe(line('a\\****** b'));
    expect(masked('he said "no"\n')).toBe(line('he ******'));
    expect(masked({ 'nick-secret': 4711081547, other: [1.5, -0, 'x'] })).toBe(
      line({ '******': '******', other: [1.5, 0, 'x'] }),
    );
    expect(masked(JSON.stringify({ inner: 'said "no"\n' }))).toBe(line('{"inner":"******"}'));
    const whole = masked({ type: 'account' });
    expect(whole).not.toContain('account');
    expect(JSON.parse(whole)).toEqual({ level: 40, msg: '{"level":40,"time":1,"value":******}' });
  });
});
