import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  askParameters,
  beanParameters,
  comparisonParameters,
  describeParameters,
  graphParameters,
  listParameters,
  parseQuery,
  patchParameters,
  streamKey,
} from './parameters.ts';

const tables = {
  askParameters,
  beanParameters,
  listParameters,
  graphParameters,
  comparisonParameters,
  patchParameters,
};
const bounds = { depth: 64, limit: 0 };
const parse = (query: string) => parseQuery(`/jig/bean/a.json?${query}`, beanParameters, bounds);

describe('the key of a shared stream', () => {
  /** A value for each parameter of a bean that changes what is shown; a new parameter needs one here. */
  const examples: Record<keyof typeof beanParameters, string> = {
    glance: 'true',
    raw: 'true',
    at: '/list',
    from: '1',
    depth: '1',
    limit: '1',
    pretty: 'true',
    every: '2',
  };

  it.each(Object.entries(examples))(
    'differs for another value of the parameter %s, unless it is every',
    (name, value) => {
      const key = (query: string) => streamKey(parse(query));
      expect(key(`${name}=${value}`) === key('')).toBe(name === 'every');
    },
  );
});

describe('query parameters', () => {
  it('are all described', () => {
    for (const table of Object.values(tables))
      expect(describeParameters(table, bounds)).toEqual(
        Object.keys(table).map((name) => expect.objectContaining({ name, in: 'query', schema: expect.any(Object) })),
      );
  });

  it.each(Object.entries(tables))('of %s are all in the documents', (_name, table) => {
    const folder = new URL('../../../../docs/', import.meta.url);
    const pages = readdirSync(folder).filter((file) => file.endsWith('.md'));
    const text = pages.map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n');
    for (const name of Object.keys(table)) expect(text).toMatch(new RegExp(`[?&\`]${name}(?:=|\`)`));
  });

  it('are limited by the configuration', () => {
    const ask = (query: string) => parseQuery(`/?${query}`, beanParameters, { depth: 3, limit: 10 });
    expect(ask('')).toEqual({ pretty: false, raw: false, glance: false, every: 1 });
    expect(ask('depth=2&limit=9&pretty')).toMatchObject({ depth: 2, limit: 9, pretty: true });
    for (const query of ['depth=4', 'limit=11']) expect(() => ask(query)).toThrow(/must be a whole number from 1 to/);
  });

  it('count as missing when they are empty, apart from flags and the pointer', () => {
    expect(parse('depth=&limit=&every=&pretty=&at=')).toEqual({ ...parse(''), pretty: true, at: '' });
    expect(() => parseQuery('?from=', patchParameters, bounds)).toThrow('The parameter from is missing.');
  });

  it.each(['dept=1', 'utm_source=a&utm_source=b', 'constructor&__proto__=x', '=', 'Depth=0', 'depth[]=0'])(
    'are ignored when unknown: %s',
    (query) => expect(parse(query)).toEqual(parse('')),
  );

  it.each([
    ['depth=0', 'depth must be a whole number from 1 to 64.'],
    ['depth=65', 'depth must be a whole number from 1 to 64.'],
    ['depth=1e1', 'depth must be'],
    ['depth=-1', 'depth must be'],
    ['depth=1.5', 'depth must be'],
    ['depth=99999999999999999999', 'depth must be'],
    ['depth=1&depth=2', 'The parameter depth can be given only once.'],
    ['from=-1', 'from must be a whole number from 0'],
    ['every=0', 'every must be a whole number from 1'],
    ['every=3601', 'every must be a whole number from 1'],
    ['limit=-1', 'limit must be a whole number from 1'],
    ['at=list', 'at must be a JSON Pointer'],
    ['at=/a~2', 'at must be a JSON Pointer'],
    ['pretty=maybe', 'pretty must be true or false.'],
  ])('are rejected with the allowed values: %s', (query, sentence) => {
    expect(() => parse(query)).toThrow(sentence);
  });
});
