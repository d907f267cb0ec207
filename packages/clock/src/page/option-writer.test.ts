import { describe, expect, it } from 'vitest';
import { NameTexts } from '../tables/table-texts.ts';
import { OptionWriter } from './option-writer.ts';
import { PageTemplate } from './page-template.ts';

const template = new PageTemplate();
const texts = new NameTexts(Buffer.from("A & B\n'ü' <日本>\n\nplain"));
const nameable = { keys: ['k<0>', 'k1', 'k2'], nameParts: [[0, 2, 1], [3], []] };
const order = Uint16Array.of(2, 0, 1);

const option = (key: string, name: string, selected = '') => template.option({ key, name, selected });

describe('OptionWriter', () => {
  it('writes the rendered options in the given order, with joined and escaped names', () => {
    const { text, marks } = new OptionWriter(template, nameable).block(order, texts);
    expect(text.toString()).toBe(option('k2', '') + option('k<0>', "A & B'ü' <日本>") + option('k1', 'plain'));
    const marked = Buffer.concat([text.subarray(0, marks[1]), Buffer.from(' here'), text.subarray(marks[1])]);
    expect(marked.toString()).toContain(option('k<0>', "A & B'ü' <日本>", ' here'));
  });

  it.each([0, 1, 3])('inserts an additional option at index %i', (index) => {
    const writer = new OptionWriter(template, nameable);
    const { text, marks } = writer.block(order, texts, { index, key: 'GMT+01:00' });
    const all = [option('k2', ''), option('k<0>', "A & B'ü' <日本>"), option('k1', 'plain')];
    expect(text.toString()).toBe(all.toSpliced(index, 0, option('GMT+01:00', 'GMT+01:00')).join(''));
    expect(text.toString('utf8', marks[index])).toMatch(/^>GMT\+01:00 - GMT\+01:00</);
  });

  it('grows its buffer for longer lists', () => {
    const long = new NameTexts(Buffer.from(`${'x'.repeat(1_000_000)}\n\n\nplain`));
    const { text } = new OptionWriter(template, nameable).block(order, long);
    expect(text.toString()).toBe(option('k2', '') + option('k<0>', 'x'.repeat(1_000_000)) + option('k1', 'plain'));
  });
});
