const plain = new Intl.NumberFormat('en');
const rounded = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

export const digits = (value: number) =>
  Number.isInteger(value) || Math.abs(value) >= 1000 ? plain.format(Math.round(value)) : rounded.format(value);

/** `1 bean`, `1,200 beans`. */
export const counted = (count: number, noun: string, plural = `${noun}s`) =>
  `${plain.format(count)} ${count === 1 ? noun : plural}`;

/** How long something lasted, in the units that matter. */
export function spanText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return `${seconds} s`;
  if (minutes < 60) return `${minutes} min${minutes < 10 && seconds % 60 > 0 ? ` ${seconds % 60} s` : ''}`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}
