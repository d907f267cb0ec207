import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anySecret, anySurrounding, type Encoding, encodings } from '../../test-fixtures/any-secret.ts';
import { everyWay } from '../../test-fixtures/both-ways.ts';
import { propertyRuns } from '../../test-fixtures/property-runs.ts';
import { keyOfXmlName } from '../../test-fixtures/xml-readers.ts';
import { inspect } from '../inspect.ts';
import { SecretFinder, Secrets } from './secrets.ts';

const cases = fc.record({ secret: anySecret, before: anySurrounding, after: anySurrounding });

/** What a reader can make of a masked text. */
function readBack(encoding: Encoding, text: string): string {
  try {
    return encoding.decode(text);
  } catch {
    return text;
  }
}

/** Many thousand times, each of which takes longer as an assertion of its own. */
function expectHidden(shown: string, encoding: Encoding, secret: string): void {
  if (shown.includes(secret) || readBack(encoding, shown).includes(secret)) expect.fail(`${secret} is in ${shown}`);
}

/** All keys and texts of a JSON document. */
function textsOf(json: string): string[] {
  const texts: string[] = [];
  JSON.parse(json, (key, value: unknown) => {
    texts.push(key, String(value));
    return value;
  });
  return texts;
}

/** All element names and texts of an XML document. */
function textsOfXml(xml: string): string[] {
  const plain = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return xml.split(/<\/?([^<>]*?)\/?>/).map((text, index) => (index % 2 === 0 ? plain(text) : keyOfXmlName(text)));
}

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
    wide: [Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16(), Buffer.from(`x${text}`, 'utf16le')],
    units: Uint16Array.from([...Array(text.length).keys()], (index) => text.charCodeAt(index)),
    points: Uint32Array.from(Array.from(text), (character) => character.codePointAt(0) ?? 0),
    shared: new Uint8Array(Buffer.from(text)).buffer,
    get broken() {
      throw new Error(text);
    },
  };
}

describe('a known secret', () => {
  it.each(encodings)('is found in any text as $name, and nothing else is masked', (encoding) => {
    fc.assert(
      fc.property(cases, ({ secret, before, after }) => {
        const finder = new SecretFinder([secret]);
        const text = encoding.encode(before + secret + after);
        const masked = finder.mask(text);
        expectHidden(masked, encoding, secret);
        if (readBack(encoding, text).includes(secret)) expect(masked).toContain('******');
        expect(finder.mask(encoding.encode(before + after))).toBe(encoding.encode(before + after));
      }),
      propertyRuns(50),
    );
  });

  it.each(encodings)('is masked in log lines as $name, and the line stays JSON', (encoding) => {
    fc.assert(
      fc.property(cases, ({ secret, before, after }) => {
        const secrets = new Secrets();
        secrets.add(secret);
        const text = encoding.encode(before + secret + after);
        const line = secrets.maskJsonLine(`${JSON.stringify({ level: 30, [text]: text, msg: `it is ${text}` })}\n`);
        for (const shown of textsOf(line)) expectHidden(shown, encoding, secret);
        const other = `${JSON.stringify({ level: 30, msg: encoding.encode(before + after) })}\n`;
        expect(secrets.maskJsonLine(other)).toBe(other);
      }),
      propertyRuns(20),
    );
  });

  it.each(encodings)('is masked in documents as $name, wherever it occurs', (encoding) => {
    fc.assert(
      fc.property(cases, fc.constantFrom('json', 'xml'), ({ secret, before, after }, format) => {
        const bean = beanOf(encoding.encode(before + secret + after));
        const [plain = '', ...others] = everyWay(bean, { format, secrets: [secret] });
        for (const other of others) expect(other).toBe(plain);
        for (const shown of format === 'json' ? textsOf(plain) : textsOfXml(plain)) {
          expectHidden(shown, encoding, secret);
          expectHidden(Buffer.from(shown, 'base64').toString(), encoding, secret);
          expectHidden(Buffer.from(shown, 'base64').toString('utf16le'), encoding, secret);
        }
      }),
      propertyRuns(6),
    );
  });

  it('is found in every encoding where the length limit would cut it in two', () => {
    fc.assert(
      fc.property(cases, fc.constantFrom(...encodings), fc.nat(70), ({ secret, before }, encoding, shift) => {
        const written = encoding.encode(before + secret);
        const text = 'x'.repeat(shift) + written + '.'.repeat(64);
        const start = written.length - encoding.encode(secret).length;
        const [plain = '', ...others] = everyWay(text, { text: 64, secrets: [secret] });
        for (const other of others) expect(other).toBe(plain);
        const kept = secret.slice(0, Math.max(8, secret.length - 4));
        // A URL ends before trailing spaces and turns backslashes: it may hold another text than the secret.
        const isThere = start >= 0 && readBack(encoding, text).includes(secret);
        if (isThere) expect(readBack(encoding, JSON.parse(plain) as string)).not.toContain(kept);
      }),
      propertyRuns(100),
    );
  });
});

describe('a secret that is a number', () => {
  const secrets = ['12345678', '98765432109876543210'];

  it('is hidden as a number and as a BigInt, and other numbers are shown', () => {
    class Account {
      number = 12345678;
      get big() {
        return 98765432109876543210n;
      }
    }
    const bean = [new Account(), [12345678, 12345678n, 1234567, -0.5], { boxed: Object(12345678) as unknown }];
    const shown = [{ number: '******', big: '******' }, ['******', '******', 1234567, -0.5], { boxed: '******' }];
    for (const document of everyWay(bean, { secrets })) expect(JSON.parse(document)).toEqual(shown);
    for (const document of everyWay(bean, { secrets, format: 'xml' })) {
      expect(document).toContain('<number>******</number><big>******</big>');
      expect(document).not.toContain('12345678');
    }
  });

  it('leaves a log line that is JSON', () => {
    const known = new Secrets();
    known.add('12345678');
    expect(known.maskJsonLine('{"level":30,"id":12345678,"n":[1,-12345678.5]}\n')).toBe(
      '{"level":30,"id":"******","n":[1,"******"]}\n',
    );
  });
});

describe('names', () => {
  it('of classes are masked in the root element and in markers', () => {
    const secret = 'hunter22pass';
    const named = (base: new () => object) => Object.defineProperty(class extends base {}, 'name', { value: secret });
    for (const bean of [new (named(Object))(), new (named(Map))(), new (named(Array))()]) {
      for (const document of everyWay(bean, { format: 'xml', secrets: [secret] })) {
        expect(document).toBe(`<${'_x002A_'.repeat(6)}/>`);
      }
      expect(inspect(bean, { format: 'xml', namespaces: true, secrets: [secret] }).toString()).not.toContain(secret);
      for (const document of everyWay(bean, { format: 'xml' })) expect(document).toBe(`<${secret}/>`);
    }
    const bean = { made: new (named(WeakMap))(), tag: { [Symbol.toStringTag]: secret } };
    for (const document of everyWay(bean, { secrets: [secret] })) {
      expect(document).toBe('{"made":"[******]","tag":{}}');
    }
  });

  it('in references are masked, also when only the joined path is a secret', () => {
    const bean: Record<string, unknown> = {};
    bean.hunter22 = { on: { top: bean } };
    const inner = { deep: {} as Record<string, unknown> };
    inner.deep.self = inner.deep;
    for (const document of everyWay({ bean, inner }, { secrets: ['hunter22', 'inner/deep'] })) {
      expect(document).toBe(
        '{"bean":{"******":{"on":{"top":"[Reference /bean]"}}},"inner":{"deep":{"self":"[Reference /******]"}}}',
      );
    }
  });

  it('and whatever else becomes a text are masked', () => {
    const secret = 'hunter22/a b';
    const bean = {
      pattern: /hunter22\/a b/g,
      url: new URL(`http://host/${secret}?q=${secret}#${secret}`),
      query: new URLSearchParams({ q: secret }).toString(),
      header: `Basic ${Buffer.from(`user:${secret}`).toString('base64')}`,
    };
    const shown = {
      pattern: '/******/g',
      url: 'http://host/******?q=******#******',
      query: 'q=******',
      header: 'Basic dXNlcj******=',
    };
    for (const document of everyWay(bean, { secrets: [secret] })) expect(JSON.parse(document)).toEqual(shown);
  });

  it('in a pointer that leads to nothing are not repeated in the error', () => {
    expect(() => inspect({}, { at: '/hunter22', secrets: ['hunter22'] })).toThrow(/^(?!.*hunter22)/s);
  });
});

describe('the search for secrets', () => {
  it('takes hostile texts in linear time', () => {
    const finder = new SecretFinder(['p@ss "word"/1234', 'x\\\\\\\\x', 'x%25%25%25%25x']);
    for (const piece of [
      '%25',
      '\\',
      '&amp;',
      '&',
      '%',
      'p%40ss+',
      '&#x',
      'cEBzcyAid29yZCIv',
      '%2525252525',
      '\\\\u005c',
    ]) {
      const text = piece.repeat(60_000 / piece.length);
      expect(finder.mask(text)).toBe(text);
    }
    const held = 'p%40ss%20%22word%22/1234 '.repeat(2_000);
    expect(finder.mask(held)).toBe('****** '.repeat(2_000));
    expect(finder.mask('p@ss "word"/1234'.repeat(10_000))).toBe('******'.repeat(10_000));
  });
});
