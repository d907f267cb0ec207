import fc from 'fast-check';
import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, it } from 'vitest';
import { argumentNames, MessageFormatter } from './message-format.ts';

const formatter = new MessageFormatter();

describe('MessageFormatter', () => {
  it('knows the plural forms of each language', () => {
    const hours = '{count, plural, one {# час} few {# часа} other {# часов}}';
    expect([1, 3, 5, 21].map((count) => formatter.format('ru', hours, { count }))).toEqual([
      '1 час',
      '3 часа',
      '5 часов',
      '21 час',
    ]);
  });

  it('writes numbers as the locale does', () => {
    expect(formatter.format('de-AT', '{size, number}', { size: 1234567 })).toBe(
      new Intl.NumberFormat('de-AT').format(1234567),
    );
  });

  it('leaves markup and apostrophes alone: they are text', () => {
    expect(formatter.format('fr', "<b>l'heure de {city}</b>", { city: '<i>Nice</i>' })).toBe(
      "<b>l'heure de <i>Nice</i></b>",
    );
    expect(formatter.format('en', "'{quoted}' {city}", { city: 'Nice' })).toBe('{quoted} Nice');
  });

  it('agrees with the library on every message that it formats without it', () => {
    const piece = fc.oneof(fc.constantFrom('{a}', '{b}', "'", "''", '{', '}', '#', '<', '{a', "'{a}'"), fc.string());
    const outcome = (format: () => unknown): unknown => {
      try {
        return format();
      } catch {
        return 'refused';
      }
    };
    fc.assert(
      fc.property(fc.array(piece), fc.string(), fc.integer(), (pieces, a, b) => {
        const text = pieces.join('');
        const library = () => new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).format({ a, b });
        expect(outcome(() => formatter.format('en', text, { a, b }))).toEqual(outcome(library));
      }),
    );
  });

  it.each(['{city}', '{count, plural, other {#}}'])('refuses %s without its argument', (text) => {
    expect(() => formatter.format('en', text, {})).toThrow(/city|count/);
    expect(() => formatter.format('en', '{toString}', {})).toThrow('toString');
  });

  it.each(['{', '{count, plural, one {#}}', '{a, nonsense}'])('refuses %s, which is no message', (text) => {
    expect(() => formatter.format('en', text, { count: 1, a: 1 })).toThrow();
  });
});

describe('argumentNames', () => {
  it('finds arguments of every kind at every depth', () => {
    const text =
      '{who} {n, plural, one {# {inPlural}} other {}} {g, select, a {{inSelect}} other {}} {d, date} {t, time} {who}';
    expect(argumentNames('en', text)).toEqual(['d', 'g', 'inPlural', 'inSelect', 'n', 't', 'who']);
  });
});
