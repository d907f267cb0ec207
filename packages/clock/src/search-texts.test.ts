import { describe, expect, it } from 'vitest';
import { matches, searchTexts } from '../browser/search-texts.ts';

describe('searching a list', () => {
  const options = [
    { value: 'de-CH', text: 'de-CH - German (Switzerland)' },
    { value: 'America/New_York', text: 'America/New_York - Eastern Standard Time' },
    { value: 'Asia/Kolkata', text: 'Asia/Kolkata - India Standard Time' },
    { value: 'Pacific/Norfolk', text: 'Pacific/Norfolk - Norfolk Island Standard Time' },
  ];
  const data = {
    locales: { 'de-CH': 'Deutsch (Schweiz)' },
    zones: {
      'America/New_York': [-300, 60],
      'Asia/Kolkata': [330, 0],
      'Pacific/Norfolk': [660, 60],
    },
  } as const;
  const found = (query: string) => matches(searchTexts(options, data), query).map((place) => options[place]?.value);

  it.each([
    ['', ['de-CH', 'America/New_York', 'Asia/Kolkata', 'Pacific/Norfolk']],
    ['GERMAN', ['de-CH']],
    ['deutsch', ['de-CH']],
    ['schweiz', ['de-CH']],
    ['new york', ['America/New_York']],
    ['york eastern', ['America/New_York']],
    ['olk', ['Asia/Kolkata', 'Pacific/Norfolk']],
    ['+5:30', ['Asia/Kolkata']],
    ['gmt+5:30', ['Asia/Kolkata']],
    ['utc+05:30', ['Asia/Kolkata']],
    ['−5', ['America/New_York']],
    ['-4', ['America/New_York']],
    ['+1', []],
    ['+11', ['Pacific/Norfolk']],
    ['xyz', []],
    ['(', ['de-CH']],
    ['\\', []],
  ])('for %j finds %j', (query, values) => {
    expect(found(query)).toEqual(values);
  });

  it('ranks matches at the start of words first', () => {
    const texts = ['xkol', 'asia/kolkata'];
    expect(matches(texts, 'kol')).toEqual([1, 0]);
  });

  it('works without search texts', () => {
    expect(matches(searchTexts(options, undefined), 'kolk')).toEqual([2]);
  });
});
