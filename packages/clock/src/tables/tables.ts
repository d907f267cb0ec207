import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { PartHealth } from '@jig/application';
import { packageFolder } from '../package-folder.ts';
import type { ZoneRules } from '../zones/zone-rules.ts';
import { MomentTable, type MomentTemplates } from './moment-table.ts';
import { TableTexts, type TextLengths, totalLength } from './table-texts.ts';

/** What the tables were made from. */
export interface TableVersions {
  /** The release of CLDR that the names are from. */
  readonly names: string;
  /** The ICU, its CLDR and its tz database that chose the locales, the orders and the offsets. */
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

/** Which pieces a locale needs. */
export interface LocaleRow {
  readonly list: number;
  readonly localeOrder: number;
  readonly zoneOrder: number;
  /** The position of the locale that writes dates and times exactly alike. */
  readonly twin: number;
}

export interface ZoneRow {
  readonly id: string;
  /** In minutes. */
  readonly raw: number;
  readonly daylight: number;
  /** The zones of a group share their name in every language. */
  readonly group: number;
  readonly formatAs: string | undefined;
}

/** The tables that `scripts/generate-tables.ts` makes. Their index is short and read at once, their texts when needed. */
export class Tables {
  readonly madeFrom: TableVersions;
  /** What this Node has. */
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

  /** Whether they were made with the ICU and the tz database of this Node; the page works in any case. */
  get isOfThisNode(): boolean {
    return this.writeAlike && this.madeFrom.tz === this.running.tz;
  }

  /**
   * Whether this Node writes times and dates as the one did that they were made with. The time zones play no part in
   * that, and the release of CLDR does not tell: ICU 78.2 and 78.3 name the same one and write Korean in two ways.
   */
  get writeAlike(): boolean {
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
    return this.#rows[position] ?? { list: 0, localeOrder: 0, zoneOrder: 0, twin: position };
  }

  zones(): ZoneRow[] {
    return this.#index.zones.split(',').map((row) => {
      const [id = '', raw, daylight, group] = row.split(' ');
      const formatAs = this.#index.formatAs[id];
      return { id, raw: Number(raw), daylight: Number(daylight), group: Number(group), formatAs };
    });
  }

  /** How the locale at a twin's position writes times and dates; nothing when this Node has another ICU, which may write them in another way. */
  momentTemplates(twin: number): MomentTemplates | undefined {
    if (!this.writeAlike) return undefined;
    this.#moments ??= MomentTable.read(new URL('moments.br', folder));
    return this.#moments.templates(twin);
  }

  /** The names and the orders, unpacked when somebody first asks for them; after a failure the next one tries again. */
  texts(): Promise<TableTexts> {
    if (this.#texts === undefined) {
      this.#texts = this.#unpack();
      this.#texts.catch(() => {
        this.#texts = undefined;
      });
    }
    return this.#texts;
  }

  async #unpack(): Promise<TableTexts> {
    const { lengths } = this.#index;
    const packed = await readFile(new URL('tables.br', folder));
    // Told beforehand how long the text is, zlib need not put it together from pieces.
    const text = await promisify(brotliDecompress)(packed, { chunkSize: totalLength(lengths) });
    return new TableTexts(lengths, text);
  }

  health({ release, source, available }: Pick<ZoneRules, 'release' | 'source' | 'available'>): PartHealth {
    const tables = this.isOfThisNode ? '' : ', with tables made from another ICU than that of this Node';
    const missing = available.packaged === undefined ? ', since the package moment-timezone cannot be read' : '';
    const state = `ready${tables}; time zones ${release}${missing}`;
    const timeZones = { release, source, available };
    return { ok: true, state, details: { madeFrom: this.madeFrom, running: this.running, timeZones } };
  }
}

function readLocaleRow(row: string): LocaleRow {
  const [list = 0, localeOrder = 0, zoneOrder = 0, twin = 0] = row.split(' ').map(Number);
  return { list, localeOrder, zoneOrder, twin };
}
