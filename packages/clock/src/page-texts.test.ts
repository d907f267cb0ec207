import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Locales } from './locales.ts';
import { packageFolder } from './package-folder.ts';
import { PageTexts } from './page-texts.ts';

const folder = new URL('messages/', packageFolder);
const read = (file: string) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Record<string, string>;
const locales = new Locales('en-US');
const texts = new PageTexts(() => ({ cldr: '48', tz: '2026f' }));
const title = (tag: string) => texts.text(locales.find(tag) ?? locales.default, 'title');
const argumentsIn = (text = '') => text.match(/\{\w+\}/g)?.sort();

describe('the messages', () => {
  it.each(readdirSync(folder))('%s has all keys, each with the same arguments', (file) => {
    const english = read('en.json');
    const own = read(file);
    expect(Object.keys(own).sort()).toEqual(Object.keys(english).sort());
    for (const key of Object.keys(english)) expect(argumentsIn(own[key])).toEqual(argumentsIn(english[key]));
  });

  it.each([
    ['de-AT', 'de'],
    ['nb-NO', 'no'],
    ['zh-TW', 'zh-Hant'],
    ['pt-PT', 'pt-PT'],
    ['sr-Latn-RS', 'sr-Latn'],
    ['pa-Arab-PK', 'en'],
  ])('of %s are those of %s', (tag, language) => {
    expect(title(tag)).toBe(read(`${language}.json`).title);
  });
});
