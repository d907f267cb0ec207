import { describe, expect, it } from 'vitest';
import { fitsAddress, parseTreeView, viewAt, viewLink, withOpen, withPage } from './links.ts';

const parse = (query: string) => parseTreeView('shop', `/jig/bean/shop.html${query}`);

describe('a view of a tree', () => {
  it.each([
    '',
    '?at=/a/b',
    '?levels=1',
    '?levels=3&open=/a',
    '?levels=all&open=/a&open=/b~1c&close=/d',
    '?at=/a&from=100:/a&from=200:/a/b',
    '?open=/%3F%26%23%25%20',
  ])('survives being written to an address and read again: %s', (query) => {
    expect(viewLink('/jig', parse(query))).toBe(`/jig/bean/shop.html${query}`);
  });

  it('ignores unknown values', () => {
    expect(parse('?levels=99&from=x&from=-1&from=')).toEqual(viewAt('shop', ''));
  });

  it('treats a pointer like __proto__ as any other', () => {
    expect(parse('?from=7:__proto__').pages).toEqual(expect.objectContaining({ ['__proto__']: 7 }));
  });

  it('lists what was opened and closed', () => {
    const opened = withOpen(parse('?levels=1'), '/a', true);
    expect(viewLink('', opened)).toBe('/bean/shop.html?levels=1&open=/a');
    expect(viewLink('', withOpen(opened, '/a', false))).toBe('/bean/shop.html?levels=1&close=/a');
  });

  it('moves to another page of one container, and back', () => {
    const turned = withPage(parse('?at=/a&from=100'), '/a/b', 300);
    expect(viewLink('', turned)).toBe('/bean/shop.html?at=/a&from=100:/a&from=300:/a/b');
    expect(viewLink('', withPage(turned, '/a', 0))).toBe('/bean/shop.html?at=/a&from=300:/a/b');
  });

  it('recognizes pointers that no address can hold', () => {
    expect(fitsAddress(`/${'k'.repeat(7000)}`)).toBe(true);
    expect(fitsAddress(`/${'é'.repeat(7000)}`)).toBe(false);
    expect(fitsAddress(`/${'k'.repeat(65_536)}`)).toBe(false);
  });
});
