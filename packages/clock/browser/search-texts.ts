/** Search data that the options do not contain. */
export interface SearchData {
  /** Names of locales in their own language, by tag. */
  readonly locales: Readonly<Record<string, string>>;
  /** Minutes ahead of UTC in standard time, and minutes of daylight saving, by zone. */
  readonly zones: Readonly<Record<string, readonly [raw: number, daylight: number]>>;
}

interface SearchedOption {
  readonly value: string;
  readonly text: string;
}

/** Without case, accents and the underscores of `New_York`. */
const folded = (text: string) =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/[−–]/g, '-').replaceAll('_', ' ').toLowerCase();

/** The text that each option is found by: tag or zone, name, own name, and offsets such as `+5:30`, `gmt+5:30` and `utc+05:30`. */
export function searchTexts(options: readonly SearchedOption[], data: SearchData | undefined): string[] {
  return options.map(({ value, text }) => {
    const own = data?.locales[value] ?? '';
    const [raw, daylight = 0] = data?.zones[value] ?? [];
    const offsets = raw === undefined ? [] : [...new Set([raw, raw + daylight])].flatMap(offsetTexts);
    return folded([text, own, ...offsets].join('\n'));
  });
}

function offsetTexts(minutes: number): string[] {
  const sign = minutes < 0 ? '-' : '+';
  const hours = Math.floor(Math.abs(minutes) / 60);
  const rest = Math.abs(minutes) % 60;
  const exact = `:${String(rest).padStart(2, '0')}`;
  const short = `${sign}${hours}${rest === 0 ? '' : exact}`;
  const long = `${sign}${String(hours).padStart(2, '0')}${exact}`;
  return ['', 'gmt', 'utc'].flatMap((prefix) => [prefix + short, prefix + long]);
}

/** The indexes of the texts that contain every word of the query; first those where they begin a word. */
export function matches(texts: readonly string[], query: string): number[] {
  const words = folded(query).split(/\s+/).filter(Boolean);
  const starts: number[] = [];
  const others: number[] = [];
  for (const [index, text] of texts.entries()) {
    if (!words.every((word) => (isOffset(word) ? hasOffset(text, word) : text.includes(word)))) continue;
    (words.every((word) => startsWord(text, word)) ? starts : others).push(index);
  }
  return [...starts, ...others];
}

const isOffset = (word: string) => /^(?:gmt|utc)?[+-]\d{1,2}(?::\d{0,2})?$/.test(word);

/** `+5` finds `+5` and `+5:30`, not `+50`. */
const hasOffset = (text: string, word: string) => new RegExp(`(?:^|[\\s(])${escaped(word)}(?!\\d)`).test(text);

const escaped = (word: string) => word.replace(/[+:]/g, '\\$&');

function startsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true;
  }
  return false;
}
