import { clockError } from '../errors.ts';
import type { Tables } from '../tables/tables.ts';
import { customZone } from './custom-zone.ts';
import { readServerZone, serverZone } from './server-zone.ts';
import { Zone } from './zone.ts';

const minute = 60_000;
const longestId = 40;

/** All time zones that the page can show the time of. */
export class Zones {
  /** Sorted by code unit of their identifiers. */
  readonly all: readonly Zone[];
  /** What is shown to those who have chosen none. */
  readonly default: Zone;
  /** For each zone the group of zones that share its name in every language. */
  readonly groups: readonly number[];
  readonly #positions: ReadonlyMap<string, number>;

  /** @param defaultId the server's own zone when it is not given */
  constructor(tables: Tables, defaultId?: string) {
    const rows = tables.zones();
    this.all = rows.map(({ id, raw, daylight, formatAs }) => new Zone(id, raw * minute, daylight * minute, formatAs));
    this.groups = rows.map(({ group }) => group);
    this.#positions = new Map(this.all.map(({ id }, position) => [id, position]));
    this.default = defaultId === undefined ? this.#serverZone() : this.#configuredZone(defaultId);
  }

  get size(): number {
    return this.all.length;
  }

  /** What takes the place of a zone that nobody knows, as in Java. */
  get gmt(): Zone {
    return this.#zone('GMT');
  }

  /** The zone of this identifier, `GMT+05:30` and the like included. */
  find(id: string): Zone | undefined {
    if (id.length > longestId) return undefined;
    const position = this.#positions.get(id);
    return position === undefined ? customZone(id) : this.all[position];
  }

  /** Its place in `all`; a custom zone has none. */
  position(zone: Zone): number | undefined {
    return this.#positions.get(zone.id);
  }

  #configuredZone(id: string): Zone {
    const zone = this.find(id);
    if (zone) return zone;
    const sentence = `There is no time zone ${JSON.stringify(id.slice(0, 64))}, which clock.zone asks for; give an identifier such as Europe/Zurich.`;
    throw clockError('JIG_CLOCK_ZONE_UNKNOWN', sentence, { fields: { zone: id } });
  }

  #serverZone(): Zone {
    const offered = (id: string) => this.all[this.#positions.get(id) ?? -1];
    return serverZone(readServerZone(), offered) ?? this.#zone('UTC');
  }

  #zone(id: string): Zone {
    return this.all[this.#positions.get(id) ?? 0] ?? new Zone(id, 0, 0);
  }
}
