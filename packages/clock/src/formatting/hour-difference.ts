import type { HourTexts } from '../tables/table-texts.ts';
import { formatNumber } from './moment-format.ts';

/** The hours by which two zones can differ: quarters, up to 27. */
export const differences = Array.from({ length: 27 * 4 }, (_, index) => (index + 1) / 4);

/** A difference such as `+5.5 hours`. */
export function hourDifference(milliseconds: number, { signs, forms, formOf }: HourTexts, digits: string): string {
  const hours = Math.abs(milliseconds) / 3_600_000;
  const [plus = '+', minus = '-', decimal = '.'] = signs.split(' ');
  const form = forms.split('|')[Number(formOf[Math.round(hours * 4) - 1] ?? 0)] ?? '{0}';
  const [whole = '', fraction] = String(Math.round(hours * 100) / 100).split('.');
  const number = [whole, fraction].filter((part) => part !== undefined).map((part) => localDigits(part, digits));
  const sign = milliseconds < 0 ? minus : plus;
  // Arabic and others have words for one hour and for two, without a number.
  return form.includes('{0}') ? form.replace('{0}', `${sign}${number.join(decimal)}`) : `${sign} ${form}`;
}

/** Digit by digit, because a fraction may begin with a zero. */
const localDigits = (text: string, digits: string) =>
  Array.from(text, (digit) => formatNumber(Number(digit), 1, digits)).join('');
