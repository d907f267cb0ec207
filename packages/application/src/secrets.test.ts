import { describe, expect, it } from 'vitest';
import { Secrets } from './secrets.ts';

describe('Secrets', () => {
  it('masks every secret wherever it stands, the longest first', () => {
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

  it('counts each once, and gives the forms that it takes', () => {
    const secrets = new Secrets();
    secrets.add('p@ss"w/rd');
    secrets.add('p@ss"w/rd');
    expect(secrets.count).toBe(1);
    expect(secrets.values()).toEqual(['p%40ss%22w%2Frd', 'p@ss\\"w/rd', 'p@ss"w/rd']);
  });

  it('takes any text, even one that no address can hold', () => {
    const secrets = new Secrets();
    secrets.add('hunter\ud800');
    expect(secrets.mask('a hunter\ud800 b')).toBe('a ****** b');
  });

  it('takes characters of patterns for what they are', () => {
    const secrets = new Secrets();
    secrets.add('a.*[x]+(b)|\\^$');
    expect(secrets.mask('a.*[x]+(b)|\\^$ and axxxxb')).toBe('****** and axxxxb');
  });

  it('gives a text without secrets back as it is, and takes no notice of secrets too short to tell', () => {
    const secrets = new Secrets();
    expect(secrets.mask('anything')).toBe('anything');
    secrets.add('abc');
    expect(secrets.mask('abc')).toBe('abc');
    expect(secrets.count).toBe(0);
  });

  it('shows nothing of them to those who look', () => {
    const secrets = new Secrets();
    secrets.add('hunter22');
    expect(JSON.stringify(secrets)).toBe('{}');
    expect(Object.keys(secrets)).toEqual([]);
  });
});
