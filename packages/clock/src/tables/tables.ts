import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress, brotliDecompressSync } from 'node:zlib';
import type { PartHealth } from '@jig/application';
import { packageFolder } from '../package-folder.ts';
import { TableTexts, type TextLengths, totalLength } from './table-texts.ts';

/** What the tables were generated from. */
interface TableVersions {
  /** The release of CLDR that the names are from. */
  readonly names: string;
  /** The ICU, its CLDR and its tz database that the locales, the orders and the offsets come from. */
  readonly icu: string;
  readonly cldr: string;
  readonly tz: string;
}

interface TableIndex {
  readonly versions: TableVersions;
  readonly tags: string;
  readonly parts: readonly string[];
  readonly locales: string;
  readonly zones: string;
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
  readonly formatAs: string | undefined;
}

/** The tables that `scripts/generate-tables.ts` writes. The short index is read at once, the texts when they are needed. */
export class Tables {
  readonly madeFrom: TableVersions;
  /** The versions of this Node. */
  readonly running: Readonly<Record<'icu' | 'cldr' | 'tz', string | undefined>>;
  readonly #index: TableIndex;
  readonly #rows: readonly LocaleRow[];
  #texts: Promise<TableTexts> | undefined;
  #moments: MomentTable | undefined;

  static read(): Tables {
    return new Tables(JSON.parse(readFileSync(new URL('tables.json', folder), 'utf8')) as TableIndex);
  }

  constructor(index: TableIndex, { icu, cldr, tz }: NodeJS.ProcessVersions = process.versions) {
    this.madeFrom = index.versions;
    this.running = { icu, cldr, tz };
    this.#index = index;
    this.#rows = index.locales.split(',').map(readLocaleRow);
  }

  /** Whether the tables were generated with the ICU and the tz database of this Node. The page works in any case. */
  get isOfThisNode(): boolean {
    return this.sameIcu && this.madeFrom.tz === this.running.tz;
  }

  /**
   * Whether this Node formats times and dates as the one did that generated the tables. The release of CLDR does not
   * tell: ICU 78.2 and 78.3 have the same one and format Korean differently.
   */
  get sameIcu(): boolean {
    return this.madeFrom.icu === this.running.icu;
  }

  tags(): string[] {
    return this.#index.tags.split(' ');
  }

  /** The subtags that locales are made of. */
  parts(): string[] {
    return this.#index.parts.flatMap((parts) => parts.split(' '));
  }

  row(position: number): LocaleRow {
    return this.#rows[position] ?? { list: 0, localeOrder: 0, zoneOrder: 0, formatGroup: position };
  }

  zones(): ZoneRow[] {
    return this.#index.zones.split(',').map((row) => {
      const [id = '', raw, daylight, group] = row.split(' ');
      const formatAs = this.#index.formatAs[id];
      return { id, raw: Number(raw), daylight: Number(daylight), group: Number(group), formatAs };
    });
  }

  /** The templates of a format group; undefined if this Node has another ICU, which may format differently. */
  momentTemplates(formatGroup: number): MomentTemplates | undefined {
    if (!this.sameIcu) return undefined;
    this.#moments ??= MomentTable.read(new URL('moments.br', folder));
    return this.#moments.templates(formatGroup);
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
    const tables = this.isOfThisNode ? '' : ', with tables made from another ICU than that of this Node';
    const missing = available.packaged === undefined ? ', since the package moment-timezone cannot be read' : '';
    const state = `ready${tables}; time zones ${release}${missing}`;
    const timeZones = { release, source, available };
    return { ok: true, state, details: { madeFrom: this.madeFrom, running: this.running, timeZones } };
  }
}

function readLocaleRow(row: string): LocaleRow {
  const [list = 0, localeOrder = 0, zoneOrder = 0, formatGroup = 0] = row.split(' ').map(Number);
  return { list, localeOrder, zoneOrder, formatGroup };
}

/** How a locale formats times and dates. What is absent only `Intl` can format, such as dates of other calendars. */
export interface MomentTemplates {
  /** From zero to nine. */
  readonly digits: string;
  /** For each hour, with placeholders for the minute and the second. */
  readonly hours?: readonly string[];
  /** For each month, with placeholders for the day and the year. */
  readonly months?: readonly string[];
  /** The minimum number of digits of a day. */
  readonly dayDigits?: 1 | 2;
}

/** The templates of all format groups. */
export class MomentTable {
  readonly #lines = new Map<number, string>();

  /** Small enough to be decompressed synchronously. */
  static read(file: URL): MomentTable {
    return new MomentTable(brotliDecompressSync(readFileSync(file)).toString());
  }

  /** @param text one line per group: its position, and its templates as JSON */
  constructor(text: string) {
    for (const line of text.split('\n')) {
      const end = line.indexOf(' ');
      this.#lines.set(Number(line.slice(0, end)), line.slice(end));
    }
  }

  templates(formatGroup: number): MomentTemplates | undefined {
    const line = this.#lines.get(formatGroup);
    return line === undefined ? undefined : (JSON.parse(line) as MomentTemplates);
  }
}
