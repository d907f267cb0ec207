import { branch, type CldrNode, leaf, readSupplemental } from './cldr.ts';

interface DayPeriods {
  /** The name of each hour's period. */
  readonly periods?: readonly string[];
  /** The name of twelve o'clock sharp. */
  readonly noon?: string;
}

/**
 * The flexible day periods of a locale, such as "in the afternoon" (UTS #35, part 4, "Day Period Rules"). As in ICU,
 * midnight has no name of its own, since nobody knows which day it belongs to.
 */
export function dayPeriodRules(): (tag: string, texts: CldrNode) => DayPeriods {
  const rules = branch(readSupplemental('cldr-core/supplemental/dayPeriods.json'), 'supplemental', 'dayPeriodRuleSet');
  return (tag, texts) => {
    const { language, script } = new Intl.Locale(tag).maximize();
    const own = branch(rules, `${language}-${script}`);
    const ofLocale = Object.keys(own).length > 0 ? own : branch(rules, language);
    const periods = Array.from({ length: 24 }, (_, hour) => {
      const period = Object.keys(ofLocale).find((name) => holds(branch(ofLocale, name), hour));
      const text = period === undefined ? undefined : leaf(texts, period);
      return text ?? leaf(texts, hour < 12 ? 'am' : 'pm') ?? '';
    });
    const noon = 'noon' in ofLocale ? leaf(texts, 'noon') : undefined;
    return noon === undefined ? { periods } : { periods, noon };
  };
}

function holds(rule: CldrNode, hour: number): boolean {
  const [from, before] = [leaf(rule, '_from'), leaf(rule, '_before')].map((time) => Number.parseInt(time ?? '', 10));
  if (from === undefined || before === undefined || Number.isNaN(from)) return false;
  return from < before ? from <= hour && hour < before : hour >= from || hour < before;
}
