/** Writes times and dates as one locale does. What it is given is the local time in milliseconds, as if the zone were UTC. */
export interface MomentWriter {
  /** The medium time. */
  time(local: number): string;
  /** The long date. */
  date(local: number): string;
}
