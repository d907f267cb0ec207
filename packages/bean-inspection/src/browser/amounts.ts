const whole = new Intl.NumberFormat('en');
const rounded = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

export const formatNumber = (value: number) =>
  Number.isInteger(value) || Math.abs(value) >= 1000 ? whole.format(Math.round(value)) : rounded.format(value);

/** `1 bean`, `1,200 beans`. */
export const pluralize = (count: number, noun: string, plural = `${noun}s`) =>
  `${whole.format(count)} ${count === 1 ? noun : plural}`;

/** A duration in its one or two largest units. */
export function spanText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return `${seconds} s`;
  if (minutes < 60) return `${minutes} min${minutes < 10 && seconds % 60 > 0 ? ` ${seconds % 60} s` : ''}`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}
