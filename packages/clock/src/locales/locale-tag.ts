/** How a tag asks for dates and times to be written, by its Unicode extension (UTS #35, part 1, "U Extension"). */
export interface FormatPreferences {
  /** Such as `buddhist`, for `-u-ca-buddhist`. */
  readonly calendar: string | undefined;
  /** The numbering system: `-u-nu-thai`. */
  readonly numbers: string | undefined;
  /** `-u-hc-h12` */
  readonly hourCycle: string | undefined;
}

export interface LocaleTag {
  readonly locale: Intl.Locale;
  /** Undefined for a tag without such an extension. */
  readonly preferences: FormatPreferences | undefined;
}

const maxLength = 64;

/**
 * Parses a tag, after making it canonical: `de_DE.UTF-8` is `de-DE`, `zh-cmn-Hans-CN` is `cmn-Hans-CN`, `i-klingon` is
 * `tlh`. Undefined for malformed tags, at which `Intl` throws, and for `und`, which means no language at all.
 */
export function parseLocaleTag(text: string): LocaleTag | undefined {
  if (text.length > maxLength) return undefined;
  const tag = withoutExtlang(withoutGrandfathered(withoutPrivateUse(text.trim().replaceAll('_', '-'))));
  if (tag === '' || /^und\b/i.test(tag)) return undefined;
  try {
    const locale = new Intl.Locale(tag);
    const { calendar, numberingSystem: numbers, hourCycle } = locale;
    const isPlain = (calendar ?? numbers ?? hourCycle) === undefined;
    return { locale, preferences: isPlain ? undefined : { calendar, numbers, hourCycle } };
  } catch {
    return undefined;
  }
}

/** What only its author understands, such as Java's `-x-lvariant-TH`, and POSIX's name of an encoding. */
const withoutPrivateUse = (tag: string): string => tag.replace(/-x-.*$|\.[\w-]+$/i, '');

/** RFC 5646, 2.2.8: tags from before there were rules, with their preferred values. Those without one are left out. */
const grandfathered: ReadonlyMap<string, string> = new Map([
  ['art-lojban', 'jbo'],
  ['en-gb-oed', 'en-GB-oxendict'],
  ['i-ami', 'ami'],
  ['i-bnn', 'bnn'],
  ['i-hak', 'hak'],
  ['i-klingon', 'tlh'],
  ['i-lux', 'lb'],
  ['i-navajo', 'nv'],
  ['i-pwn', 'pwn'],
  ['i-tao', 'tao'],
  ['i-tay', 'tay'],
  ['i-tsu', 'tsu'],
  ['no-bok', 'nb'],
  ['no-nyn', 'nn'],
  ['sgn-be-fr', 'sfb'],
  ['sgn-be-nl', 'vgt'],
  ['sgn-ch-de', 'sgg'],
  ['zh-guoyu', 'cmn'],
  ['zh-hakka', 'hak'],
  ['zh-min-nan', 'nan'],
  ['zh-xiang', 'hsn'],
]);

const withoutGrandfathered = (tag: string): string => grandfathered.get(tag.toLowerCase()) ?? tag;

/** RFC 5646, 4.5: three letters after the language are a language of its own, which takes its place. */
const withoutExtlang = (tag: string): string => tag.replace(/^[a-z]{2,3}-([a-z]{3})(?![a-z\d])/i, '$1');
