import { Zone } from './zone.ts';

const minute = 60_000;

/** A zone of a fixed offset, written as Java takes it: `GMT+5`, `GMT+0530`, `GMT+05:30`. Its ID is always of the last form. */
export function customZone(id: string): Zone | undefined {
  const [, sign, hours = '', minutes = '00'] = /^GMT([+-])(\d{1,2})(?::?([0-5]\d))?$/.exec(id) ?? [];
  if (sign === undefined || Number(hours) > 23) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * minute;
  if (offset === 0) return new Zone('GMT', 0, 0);
  const text = `${sign}${hours.padStart(2, '0')}:${minutes}`;
  return new Zone(`GMT${text}`, sign === '-' ? -offset : offset, 0, text);
}
