import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { PartHealth } from '@jig/application';
import { packageFolder } from '../package-folder.ts';
import { CalendarTable } from './calendar-table.ts';
import { type CalendarFormat, type MomentFormat, MomentTable } from './moment-table.ts';
import { TableTexts, type TextLengths, totalLength } from './table-texts.ts';

/** What the tables were generated from. */
export interface TableVersions {
  /** The release of CLDR that names, dates and times are from. */
  readonly cldr: string;
  /** The ICU and its tz database that the set of locales, the orders and the raw offsets come from. */
  readonly icu: string;
  readonly tz: string;
  /** The ICU that the texts of calendars other than the Gregorian one come from. */
  readonly calendars: string;
}

interface TableIndex {
  readonly versions: TableVersions;
  readonly tags: string;
  readonly parts: readonly string[];
  readonly locales: string;
  readonly zones: string;
  /** How many groups share a name in standard time, and in daylight time. */
  readonly zoneGroups: readonly number[];
  readonly formatAs: Readonly<Record<string, string>>;
  readonly lengths: TextLengths;
}

const folder = new URL('data/', packageFolder);

/** Which tz database is in force, as `ZoneRules` says. */
interface TzDatabase {
  readonly release: string;
  readonly source: string;
  readonly available: { readonly packaged: string | undefined; readonly icu: string | undefined };
}

/** Which pieces of the tables a locale uses. */
interface LocaleRow {
  readonly list: number;
  readonly localeOrder: number;
  readonly zoneOrder: number;
  /** Locales of a group format dates and times identically; the group is the position of its first locale. */
  readonly formatGroup: number;
}

interface ZoneRow {
  readonly id: string;
  /** In minutes. */
  readonly raw: number;
  readonly daylight: number;
  /** The zones of a group share their name in every language. */
  readonly group: number;
  /** The same for daylight time, if the zone has it. */
  readonly daylightGroup: number | undefined;
  readonly formatAs: string | undefined;
}

/** The tables that `scripts/generate-tables.ts` writes. The short index is read at once, the texts when they are needed. */
export class Tables {
  readonly madeFrom: TableVersions;
  readonly #index: TableIndex;
  #rows: readonly LocaleRow[] | undefined;
  #texts: Promise<TableTexts> | undefined;
  #moments: MomentTable | undefined;
  #calendars: CalendarTable | undefined;

  static read(): Tables {
    return new Tables(JSON.parse(readFileSync(new URL('tables.json', folder), 'utf8')) as TableIndex);
  }

  constructor(index: TableIndex) {
    this.madeFrom = index.versions;
    this.#index = index;
  }

  tags(): string[] {
    return this.#index.tags.split(' ');
  }

  /** The subtags that locales are made of. */
  parts(): string[] {
    return this.#index.parts.flatMap((parts) => parts.split(' '));
  }

  row(position: number): LocaleRow {
    this.#rows ??= this.#index.locales.split(',').map(readLocaleRow);
    return this.#rows[position] ?? { list: 0, localeOrder: 0, zoneOrder: 0, formatGroup: position };
  }

  zones(): ZoneRow[] {
    return this.#index.zones.split(',').map((row) => {
      const [id = '', raw, daylight, group, daylightGroup] = row.split(' ');
      const groups = { group: Number(group), daylightGroup: daylightGroup ? Number(daylightGroup) : undefined };
      return { id, raw: Number(raw), daylight: Number(daylight), ...groups, formatAs: this.#index.formatAs[id] };
    });
  }

  /** The number of lines with names of zones in standard time, and in daylight time. */
  zoneGroups(): { readonly standard: number; readonly daylight: number } {
    const [standard = 0, daylight = 0] = this.#index.zoneGroups;
    return { standard, daylight };
  }

  /** How the locales of a format group write times and dates. */
  momentFormat(formatGroup: number): MomentFormat {
    return this.#momentTable().format(formatGroup);
  }

  /** The digits of a numbering system; undefined if there is none of this name with ten digits. */
  digits(numbers: string): string | undefined {
    return this.#momentTable().digits(numbers);
  }

  /** The long date of a locale in a calendar. */
  calendarFormat({ gregory, calendars }: MomentFormat, calendar: string): CalendarFormat {
    if (calendar === 'gregory') return gregory;
    // Several calendars have the Gregorian months.
    return {
      ...(gregory.months ? { months: gregory.months } : {}),
      ...this.calendarTable().format(calendars, calendar),
    };
  }

  calendarTable(): CalendarTable {
    this.#calendars ??= CalendarTable.read(new URL('calendars.br', folder));
    return this.#calendars;
  }

  #momentTable(): MomentTable {
    this.#moments ??= MomentTable.read(new URL('moments.br', folder));
    return this.#moments;
  }

  /** The names and the orders, decompressed on the first call. After a failure, the next call tries again. */
  texts(): Promise<TableTexts> {
    if (this.#texts === undefined) {
      this.#texts = this.#decompress();
      this.#texts.catch(() => {
        this.#texts = undefined;
      });
    }
    return this.#texts;
  }

  async #decompress(): Promise<TableTexts> {
    const { lengths } = this.#index;
    const packed = await readFile(new URL('tables.br', folder));
    // With the length of the text as the chunk size, zlib need not join chunks.
    const text = await promisify(brotliDecompress)(packed, { chunkSize: totalLength(lengths) });
    return new TableTexts(lengths, text);
  }

  health({ release, source, available }: TzDatabase): PartHealth {
    const missing = available.packaged === undefined ? ', since the package moment-timezone cannot be read' : '';
    const state = `ready; CLDR ${this.madeFrom.cldr}, time zones ${release}${missing}`;
    return { ok: true, state, details: { madeFrom: this.madeFrom, timeZones: { release, source, available } } };
  }
}

function readLocaleRow(row: string): LocaleRow {
  const [list = 0, localeOrder = 0, zoneOrder = 0, formatGroup = 0] = row.split(' ').map(Number);
  return { list, localeOrder, zoneOrder, formatGroup };
}
