import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { packageFolder } from '../package-folder.ts';
import { endOfTime, type OffsetPeriod } from './zone.ts';

/** Only the data of this package is read; its code is not loaded. */
const dataPackage = 'moment-timezone';

/** The data lists the changes of unlimited rules up to this year, the last one of 32-bit times. */
const lastListedYear = 2037;

/** Its `data/packed/latest.json`, see https://momentjs.com/timezone/docs/#/data-formats/packed-format/ */
export interface PackedData {
  /** The release of the tz database. */
  readonly version: string;
  /** `name|abbreviations|offsets|order of the offsets|minutes between changes|population` */
  readonly zones: readonly string[];
  /** `name|other name` */
  readonly links: readonly string[];
}

type ZoneRows = Pick<PackedData, 'zones' | 'links'>;

/** The content of a zone's row, in milliseconds: `offsets` has one entry more than `changes`. */
interface ZoneHistory {
  readonly offsets: readonly number[];
  readonly changes: readonly number[];
}

/** The rules of the tz database from an npm package, which is updated more often than Node's ICU. */
export class PackagedRules {
  /** The release of the tz database, such as `2026f`. */
  readonly release: string;
  /** The package and its version. */
  readonly source: string;
  readonly #read: () => ZoneRows;
  #rows: ReadonlyMap<string, string> | undefined;

  /** Throws when the package is missing or names no release. The rules, 0.7 MB, are read when a zone is first asked for. */
  static read(): PackagedRules {
    const { resolve } = createRequire(new URL('package.json', packageFolder));
    const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
    const { version } = read(resolve(`${dataPackage}/package.json`)) as { version: string };
    const file = resolve(`${dataPackage}/data/packed/latest.json`);
    return new PackagedRules(releaseIn(file), `${dataPackage} ${version}`, () => read(file) as PackedData);
  }

  constructor(release: string, source: string, read: () => ZoneRows) {
    if (!/^\d{4}[a-z]+$/.test(release)) throw new Error(`${source} names no release of the tz database.`);
    this.release = release;
    this.source = source;
    this.#read = read;
  }

  /** The offset at an instant, from change to change; undefined for a zone that the package does not have. */
  period(timeZone: string, instant: number): OffsetPeriod | undefined {
    this.#rows ??= this.#readRows();
    const history = readHistory(this.#rows.get(timeZone) ?? '');
    if (history === undefined) return undefined;
    const last = history.changes.at(-1) ?? -endOfTime;
    const isAfterLast = instant >= last && new Date(last).getUTCFullYear() >= lastListedYear;
    return isAfterLast ? periodInLaterYear(history, last, instant) : periodAt(history, instant);
  }

  /** Of a damaged file none, so that ICU's rules hold. */
  #readRows(): ReadonlyMap<string, string> {
    try {
      return rowsByName(this.#read());
    } catch {
      return new Map();
    }
  }
}

/** The release, which stands at the start of the data; none when its end is missing. */
function releaseIn(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const start = Buffer.alloc(64);
    const end = Buffer.alloc(16);
    readSync(descriptor, start);
    readSync(descriptor, end, { position: Math.max(0, fstatSync(descriptor).size - end.length) });
    if (!/\}\s*\0*$/.test(end.toString('latin1'))) return '';
    return /^\{\s*"version":\s*"(\w+)"/.exec(start.toString('latin1'))?.[1] ?? '';
  } finally {
    closeSync(descriptor);
  }
}

function rowsByName({ zones, links }: ZoneRows): ReadonlyMap<string, string> {
  const rows = new Map(zones.map((row) => [row.slice(0, row.indexOf('|')), row]));
  for (const link of links) {
    const [name = '', other = ''] = link.split('|');
    rows.set(other, rows.get(name) ?? '');
  }
  return rows;
}

function periodAt({ offsets, changes }: ZoneHistory, instant: number): OffsetPeriod {
  const next = changes.findIndex((change) => instant < change);
  const place = next === -1 ? changes.length : next;
  return {
    offset: offsets[place] ?? 0,
    from: changes[place - 1] ?? -endOfTime,
    until: changes[place] ?? endOfTime,
  };
}

/**
 * Rules such as "the last Sunday in March" give the same dates whenever March begins on the same day of the week, which
 * it does at least once in eleven years: the last such year that is listed is the model for the later one.
 */
function periodInLaterYear(history: ZoneHistory, last: number, instant: number): OffsetPeriod {
  const moment = new Date(instant);
  const year = moment.getUTCFullYear() - (moment.getUTCMonth() < 2 ? 1 : 0);
  const start = startOfMarch(year);
  let model = new Date(last).getUTCFullYear();
  while (new Date(startOfMarch(model)).getUTCDay() !== new Date(start).getUTCDay()) model--;
  const shift = startOfMarch(model) - start;
  const { offset, from, until } = periodAt(history, instant + shift);
  return {
    offset,
    from: Math.max(from - shift, start),
    until: Math.min(until - shift, startOfMarch(year + 1)),
  };
}

const startOfMarch = (year: number): number => Date.UTC(year, 2, 1);

function readHistory(row: string): ZoneHistory | undefined {
  const [, , offsetTexts = '', order = '', differences = ''] = row.split('|');
  const known = offsetTexts.split(' ').map((text) => 0 - milliseconds(text));
  const offsets = Array.from(order, (digit) => known[digits.indexOf(digit)] ?? Number.NaN);
  let change = 0;
  const changes = (differences === '' ? [] : differences.split(' ')).map((text) => {
    change += milliseconds(text);
    return change;
  });
  const isWhole =
    offsets.length === changes.length + 1 && offsets.every(Number.isFinite) && changes.every(Number.isFinite);
  return isWhole ? { offsets, changes } : undefined;
}

const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX';
const digitValues = new Map(Array.from(digits, (digit, value) => [digit.charCodeAt(0), value]));
const point = '.'.charCodeAt(0);

/** Parses minutes in base 60, possibly with a fraction. */
function milliseconds(text: string): number {
  const isNegative = text.startsWith('-');
  let minutes = 0;
  let scale = 0;
  for (let index = isNegative ? 1 : 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === point) scale = 1;
    else {
      minutes = minutes * 60 + (digitValues.get(code) ?? Number.NaN);
      scale *= 60;
    }
  }
  const whole = Math.round((minutes * 60) / (scale || 1)) * 1000;
  return isNegative ? -whole : whole;
}
