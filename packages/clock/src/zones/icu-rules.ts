import type { OffsetPeriod } from './zone.ts';

const minute = 60_000;
const stretch = 6 * 60 * minute;

/** How many minutes ICU says that a zone is ahead of UTC at an instant. */
export function icuOffset(timeZone: string, instant: number): number {
  return readOffset(offsetFormat(timeZone), instant);
}

/** The offset by ICU and the hours around for which it holds. Zones change their offset on a full minute and never twice within hours. */
export function icuPeriod(timeZone: string, instant: number): OffsetPeriod {
  const format = offsetFormat(timeZone);
  const from = Math.floor(instant / minute) * minute;
  const offset = readOffset(format, from);
  let until = from + stretch;
  if (readOffset(format, until) !== offset) {
    let same = from;
    while (until - same > minute) {
      const middle = same + Math.floor((until - same) / minute / 2) * minute;
      if (readOffset(format, middle) === offset) same = middle;
      else until = middle;
    }
  }
  return { offset: offset * minute, from, until };
}

/** Not kept: a formatter for each zone would cost 31 KB each. */
const offsetFormat = (timeZone: string) => new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });

function readOffset(format: Intl.DateTimeFormat, instant: number): number {
  const name = format.formatToParts(instant).find((part) => part.type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}
