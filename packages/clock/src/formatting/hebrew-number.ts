const letters: readonly (readonly [number, string])[] = [
  [400, 'ת'],
  [300, 'ש'],
  [200, 'ר'],
  [100, 'ק'],
  [90, 'צ'],
  [80, 'פ'],
  [70, 'ע'],
  [60, 'ס'],
  [50, 'נ'],
  [40, 'מ'],
  [30, 'ל'],
  [20, 'כ'],
  [10, 'י'],
  [9, 'ט'],
  [8, 'ח'],
  [7, 'ז'],
  [6, 'ו'],
  [5, 'ה'],
  [4, 'ד'],
  [3, 'ג'],
  [2, 'ב'],
  [1, 'א'],
];

/** Numbers whose letters would be read as something else: a name of God, and a word for destruction. */
const otherwise: ReadonlyMap<number, string> = new Map([
  [15, 'טו'],
  [16, 'טז'],
  [44, 'דמ'],
]);

/** A year in Hebrew numerals, without its thousands, as CLDR writes it: 5787 is `תשפ״ז`. */
export function hebrewYear(year: number): string {
  let rest = year % 1000;
  let text = '';
  for (const [value, letter] of letters) {
    const other = rest === 44 && text !== 'תש' ? undefined : otherwise.get(rest);
    if (other !== undefined) {
      text += other;
      break;
    }
    for (; rest >= value; rest -= value) text += letter;
  }
  // The letter for 80 has another form at the end of a word.
  const word = text.replace(/פ$/, 'ף');
  return word.length === 1 ? `${word}׳` : `${word.slice(0, -1)}״${word.slice(-1)}`;
}
