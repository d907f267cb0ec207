import { differences } from '../../src/formatting/hour-difference.ts';
import { branch, leaf, readLanguage } from './cldr.ts';

/**
 * How a language writes a number of hours, such as "+5.5 hours": the signs and the decimal separator, the forms, and for
 * each difference that two zones can have which form it takes.
 */
export function hourTexts(): (source: string) => string[] {
  const english = readHours('en');
  return (source) => {
    const numbers = readLanguage('numbers', source, 'numbers', 'numbers');
    const system = leaf(numbers, 'defaultNumberingSystem') ?? 'latn';
    const symbols = branch(numbers, `symbols-numberSystem-${system}`);
    const signs = ['plusSign', 'minusSign', 'decimal'].map((sign, at) => leaf(symbols, sign) ?? '+-.'.charAt(at));
    const own = readHours(source);
    const hours = leaf(own, 'unitPattern-count-other') === undefined ? english : own;
    const rules = new Intl.PluralRules(hours === own ? source : 'en');
    const form = (hour: number) =>
      leaf(hours, `unitPattern-count-${rules.select(hour)}`) ?? leaf(hours, 'unitPattern-count-other') ?? '{0}';
    const ofEach = differences.map(form);
    const forms = [...new Set(ofEach)];
    return [signs.join(' '), forms.join('|'), ofEach.map((text) => forms.indexOf(text)).join('')];
  };
}

const readHours = (source: string) => readLanguage('units', source, 'units', 'units', 'long', 'duration-hour');
