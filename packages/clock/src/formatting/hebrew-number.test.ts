import { expect, it } from 'vitest';
import { hebrewYear } from './hebrew-number.ts';

it.each([
  [5744, 'תשד״מ'],
  [5780, 'תש״ף'],
  [5787, 'תשפ״ז'],
  [5800, 'ת״ת'],
  [5815, 'תתט״ו'],
  [5816, 'תתט״ז'],
  [5817, 'תתי״ז'],
  [5844, 'תתמ״ד'],
  [6001, 'א׳'],
])('the year %s is written %s', (year, text) => {
  expect(hebrewYear(year)).toBe(text);
});
