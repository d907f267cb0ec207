/** How the server writes the time, see `TimeFormat` there: the page carries it. */
export interface PageTimeFormat {
  readonly time: string;
  readonly digits: string;
  readonly am: string;
  readonly pm: string;
  readonly periods?: readonly string[];
  readonly noon?: string;
}

/** @param local the local time in milliseconds, read as UTC */
export function writeTime({ time, digits, am, pm, periods, noon }: PageTimeFormat, local: number): string {
  const moment = new Date(local);
  const hours = moment.getUTCHours();
  const [minutes, seconds] = [moment.getUTCMinutes(), moment.getUTCSeconds()];
  const numbers = { H: hours, h: hours % 12 || 12, K: hours % 12, k: hours || 24, m: minutes, s: seconds };
  const own = Array.from(digits);
  return time.replace(/\{(\w)(\d?)\}/g, (_, field: string, width: string) => {
    if (width) {
      const number = String(numbers[field as keyof typeof numbers]).padStart(Number(width), '0');
      return number.replace(/\d/g, (digit) => own[Number(digit)] ?? digit);
    }
    const half = hours < 12 ? am : pm;
    if (field !== 'B') return half;
    return (hours === 12 && minutes + seconds === 0 && noon) || (periods?.[hours] ?? half);
  });
}
