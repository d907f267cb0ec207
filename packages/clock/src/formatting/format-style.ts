export type FormatStyle = 'long date' | 'medium time';

/** In UTC: what is written is local time already. */
export const formatOptions: Readonly<Record<FormatStyle, Intl.DateTimeFormatOptions>> = {
  'long date': { dateStyle: 'long', timeZone: 'UTC' },
  'medium time': { timeStyle: 'medium', timeZone: 'UTC' },
};
