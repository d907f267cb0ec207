import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { Messages } from './messages.ts';

const greetings = {
  en: { hello: 'Hello {name}', files: '{count, plural, one {# file} other {# files}}' },
  de: { hello: 'Hallo {name}', files: '{count, plural, one {# Datei} other {# Dateien}}' },
  'de-AT': { hello: 'Servus {name}', files: '{count, plural, one {# Datei} other {# Dateien}}' },
  no: { hello: 'Hei {name}', files: '{count, plural, one {# fil} other {# filer}}' },
  zh: { hello: '你好，{name}', files: '{count, plural, other {#个文件}}' },
};

function greeting(): Messages {
  const messages = new Messages();
  messages.add('greetings', greetings);
  return messages;
}

const folders: string[] = [];

function catalogFolder(files: Readonly<Record<string, string>>): URL {
  const folder = mkdtempSync(join(tmpdir(), 'jig-messages-'));
  folders.push(folder);
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
  return pathToFileURL(folder);
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe('a message', () => {
  it.each([
    ['de-AT', 'Servus Ada'],
    ['de-CH', 'Hallo Ada'],
    ['nb-NO', 'Hei Ada'],
    ['zh-SG', '你好，Ada'],
    ['en-GB', 'Hello Ada'],
  ])('is in the language nearest to %s', (locale, text) => {
    expect(greeting().message(locale, 'hello', { name: 'Ada' })).toBe(text);
  });

  it.each(['zh-TW', 'sw', 'no such tag', ''])('is in the fallback for %j', (locale) => {
    expect(greeting().message(locale, 'hello', { name: 'Ada' })).toBe('Hello Ada');
    expect(greeting().nearest(locale)).toBe('en');
  });

  it('is in the fallback for a tag of a million letters', () => {
    expect(greeting().message('x'.repeat(1_000_000), 'hello', { name: 'Ada' })).toBe('Hello Ada');
  });

  it('counts by the rules of the language it is written in', () => {
    expect(greeting().message('fr', 'files', { count: 0 })).toBe('0 files');
  });

  it.each([
    ['de-CH', 'de'],
    ['nn', 'no'],
    ['en-AU', 'en'],
  ])('for %s is marked as %s', (locale, language) => {
    expect(greeting().nearest(locale)).toBe(language);
  });

  it.each(['nothing', 'constructor', '__proto__'])('%s, which nobody wrote, is an error with a code', (key) => {
    expect(() => greeting().message('en', key)).toThrow(
      expect.objectContaining({
        code: 'JIG_MESSAGE_UNKNOWN',
        message: `No catalog has a message "${key}"; add it to every catalog, or correct the key.`,
        key,
      }),
    );
  });

  it('without an argument that it takes is an error that names both', () => {
    expect(() => greeting().message('de', 'hello')).toThrow(/en of greetings cannot show "hello": .*name is missing/);
  });
});

describe('catalogs', () => {
  it('come from several parts, and are read from a folder when a language is asked for', () => {
    const messages = greeting();
    messages.add(
      'farewells',
      catalogFolder({ 'en.json': '{"bye":"Bye"}', 'fr.json': '{"bye":"Au revoir"}', 'a.md': '' }),
    );
    expect(messages.catalogs[1]).toEqual({ owner: 'farewells', keys: ['bye'], locales: ['en', 'fr'], loaded: ['en'] });
    expect(messages.message('fr-CA', 'bye')).toBe('Au revoir');
    expect(messages.message('fr-CA', 'hello', { name: 'Ada' })).toBe('Hello Ada');
    expect(messages.catalogs[1]?.loaded).toEqual(['en', 'fr']);
    expect(messages.locales).toEqual(['de', 'de-AT', 'en', 'fr', 'no', 'zh']);
  });

  it('of two parts cannot share a key', () => {
    expect(() => greeting().add('others', { en: { hello: 'Hi' } })).toThrow(
      'The message catalog en of others has the key "hello", which greetings has already.',
    );
  });

  it.each([
    [{}, /\/en\.json of broken cannot be read: ENOENT\.$/],
    [{ 'en.json': '{"hello": "Hi"' }, /\/en\.json of broken cannot be read: .*JSON/],
    [{ 'en.json': '["Hi"]' }, /\/en\.json of broken is no object of keys and messages\.$/],
    [{ 'en.json': '{"hello": {"a": 1}}' }, /\/en\.json of broken has no text under the key "hello"\.$/],
    [{ 'en.json': '{}', 'de_AT.json': '{}' }, /\/de_AT\.json of broken is not named for a language tag/],
  ])('that are malformed end the start with one sentence: %j', (files, sentence) => {
    const folder = catalogFolder(files);
    expect(() => new Messages().add('broken', folder)).toThrow(
      expect.objectContaining({ code: 'JIG_MESSAGE_CATALOG_INVALID', message: expect.stringMatching(sentence) }),
    );
  });

  it('in a folder that is not there end the start without naming the machine', () => {
    const folder = new URL('nowhere/', catalogFolder({}));
    expect(() => new Messages().add('broken', folder)).toThrow(
      'The folder nowhere/ of message catalogs of broken cannot be read: ENOENT.',
    );
  });

  it('of a translation that is broken are passed over, and the problem can be read', () => {
    const messages = new Messages();
    const folder = catalogFolder({
      'en.json': '{"a":"English","b":"b"}',
      'de.json': '{',
      'fr.json': '{"a":"{oops","b":"bé"}',
    });
    messages.add('half', folder);
    expect(messages.message('de-CH', 'a')).toBe('English');
    expect(messages.message('fr', 'a')).toBe('English');
    expect(messages.message('fr', 'b')).toBe('bé');
    expect(messages.problems).toEqual([
      expect.stringMatching(/^de, a: The message catalog .*de\.json of half cannot be read: .*JSON/),
      'fr, a: EXPECT_ARGUMENT_CLOSING_BRACE',
    ]);
  });
});

describe('differences', () => {
  it('are none where every catalog has the same keys and arguments', () => {
    expect(greeting().differences()).toEqual([]);
  });

  it('name catalog and key', () => {
    const messages = new Messages();
    messages.add('apart', {
      en: { one: 'One {a}', two: 'Two' },
      de: { one: 'Eins {b}', drei: 'Drei' },
      fr: { one: 'Un {a', two: 'Deux' },
      ja: { one: '一 {a, select, x {} other {}}', two: '二' },
    });
    messages.add('broken', catalogFolder({ 'en.json': '{}', 'de.json': 'null' }));
    expect(messages.differences()).toEqual([
      'The message catalog de of apart lacks the key "two".',
      'The message catalog de of apart has the key "drei", which the others lack.',
      'The message catalog de of apart has the arguments (b) under "one", not (a).',
      'The message catalog fr of apart has no ICU message under the key "one": EXPECT_ARGUMENT_CLOSING_BRACE.',
      expect.stringMatching(/de\.json of broken is no object/),
    ]);
  });
});
