import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { everyWay } from '../../test-fixtures/both-ways.ts';
import { propertyRuns } from '../../test-fixtures/property-runs.ts';
import { keyOfXmlName } from '../../test-fixtures/xml-readers.ts';
import { find } from '../find.ts';
import { inspect } from '../inspect.ts';
import { outline } from '../outline.ts';
import { Secrets } from './secrets.ts';

const letters = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');
const signs = Array.from(' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~\u00e9\u6f22');
const textOf = (characters: string[], minLength: number) =>
  fc.array(fc.constantFrom(...characters), { minLength, maxLength: 24 }).map((text) => text.join(''));

/** The first characters make sure that no random text is one. */
const anySecret = textOf([...letters, ...letters, ...signs], 6).map((text) => `K7${text}`);
const anySurrounding = textOf([...letters.filter((each) => !'K7'.includes(each)), ...signs], 0);

/** How a secret is written in the texts of an application. */
const forms: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  address: encodeURIComponent,
  form: (secret) => new URLSearchParams({ a: secret }).toString().slice(2),
  json: (secret) => JSON.stringify({ a: secret }),
};

function beanOf(text: string): object {
  return {
    text,
    [text]: [text],
    map: new Map<unknown, unknown>([[text, text]]),
    list: new Map<unknown, unknown>([[{}, text]]),
    symbol: [Symbol(text)],
    call: [Object.defineProperty(() => undefined, 'name', { value: text })],
    error: new Error(text),
    bytes: Buffer.from(`${text} `),
    shared: new Uint8Array(Buffer.from(text)).buffer,
    get broken() {
      throw new Error(text);
    },
  };
}

/** All keys and texts of a document, and what base64 in it holds. */
function textsOf(document: string, format: 'json' | 'xml'): string[] {
  const texts: string[] = [];
  if (format === 'json')
    JSON.parse(document, (key, value: unknown) => {
      texts.push(key, String(value));
      return value;
    });
  const plain = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  if (format === 'xml')
    for (const [index, text] of document.split(/<\/?([^<>]*?)\/?>/).entries())
      texts.push(index % 2 === 0 ? plain(text) : keyOfXmlName(text));
  return [...texts, ...texts.map((text) => Buffer.from(text, 'base64').toString())];
}

describe('a known secret', { timeout: 60_000 }, () => {
  it.each(Object.keys(forms))('is masked as %s in documents, rows, hits and log lines', async (form) => {
    const write = forms[form] as (secret: string) => string;
    await fc.assert(
      fc.asyncProperty(anySecret, anySurrounding, anySurrounding, async (secret, before, after) => {
        const text = before + write(secret) + after;
        const bean = beanOf(text);
        const options = { secrets: [secret] };
        const shown = (['json', 'xml'] as const).flatMap((format) =>
          everyWay(bean, { ...options, format }).flatMap((document) => textsOf(document, format)),
        );
        shown.push(...textsOf(JSON.stringify(outline(bean, options)), 'json'));
        const known = new Secrets();
        known.add(secret);
        shown.push(...textsOf(known.maskJsonLine(`${JSON.stringify({ level: 30, msg: text })}\n`), 'json'));
        for (const each of shown) if (each.includes(write(secret))) expect.fail(`${secret} is in ${each}`);
        expect((await find(bean, write(secret), options)).hits).toEqual([]);
      }),
      propertyRuns(10),
    );
  });

  it('is not shown in part when a limit truncates it', () => {
    fc.assert(
      fc.property(anySecret, fc.nat(70), (secret, shift) => {
        const [shown = ''] = everyWay('x'.repeat(shift) + secret + '.'.repeat(64), { text: 64, secrets: [secret] });
        expect(shown).not.toContain(secret.slice(0, 8));
      }),
      propertyRuns(100),
    );
  });

  it('that is a number is masked as a number and as a BigInt, and other numbers are shown', () => {
    class Account {
      number = 12345678;
      get big() {
        return 98765432109876543210n;
      }
    }
    const secrets = ['12345678', '98765432109876543210'];
    const bean = [new Account(), [12345678, 12345678n, 1234567, -0.5], { boxed: Object(12345678) as unknown }];
    const shown = [{ number: '******', big: '******' }, ['******', '******', 1234567, -0.5], { boxed: '******' }];
    for (const document of everyWay(bean, { secrets })) expect(JSON.parse(document)).toEqual(shown);
    for (const document of everyWay(bean, { secrets, format: 'xml' }))
      expect(document).toContain('<number>******</number><big>******</big>');
  });
});

describe('names', () => {
  it('of classes are masked in the root element and in markers', () => {
    const secret = 'hunter22pass';
    const named = (base: new () => object) => Object.defineProperty(class extends base {}, 'name', { value: secret });
    for (const bean of [new (named(Object))(), new (named(Map))(), new (named(Array))()]) {
      for (const document of everyWay(bean, { format: 'xml', secrets: [secret] }))
        expect(document).toBe(`<${'_x002A_'.repeat(6)}/>`);
      for (const document of everyWay(bean, { format: 'xml' })) expect(document).toBe(`<${secret}/>`);
    }
    const bean = { made: new (named(WeakMap))(), tag: { [Symbol.toStringTag]: secret } };
    for (const document of everyWay(bean, { secrets: [secret] })) expect(document).toBe('{"made":"[******]","tag":{}}');
  });

  it('in references are masked', () => {
    const bean: Record<string, unknown> = {};
    bean.hunter22 = { on: { top: bean } };
    for (const document of everyWay({ hunter22: bean }, { secrets: ['hunter22'] }))
      expect(document).toBe('{"******":{"******":{"on":{"top":"[Reference /******]"}}}}');
  });

  it('and other values that are converted to strings are masked', () => {
    const secret = 'hunter22/a b';
    const bean = {
      pattern: /hunter22\/a b/g,
      url: new URL('http://host/?q=hunter22%2Fa%20b'),
      query: new URLSearchParams({ q: secret }).toString(),
    };
    const shown = { pattern: '/hunter22\\/a b/g', url: 'http://host/?q=******', query: 'q=******' };
    for (const document of everyWay(bean, { secrets: [secret] })) expect(JSON.parse(document)).toEqual(shown);
  });

  it('in a pointer that leads to nothing are not repeated in the error', () => {
    expect(() => inspect({}, { at: '/hunter22', secrets: ['hunter22'] })).toThrow(/^(?!.*hunter22)/s);
  });
});
