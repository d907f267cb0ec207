import type { Setting, SettingsSchema, SettingValues } from './setting.ts';

/** Where a value came from, in words: `default`, `jig.config.json`, `environment variable PORT`, `flag --port`. */
export type Origin = string;

export interface ConfiguredValue {
  readonly key: string;
  readonly setting: Setting;
  readonly value: unknown;
  readonly origin: Origin;
}

/** The settings of the running application, each with its value and where that came from. */
export class Configuration {
  readonly #values: ReadonlyMap<string, ConfiguredValue>;

  constructor(values: Iterable<ConfiguredValue>) {
    this.#values = new Map([...values].map((value) => [value.key, value]));
  }

  /** The values of one section, with the types of its schema. */
  section<Schema extends SettingsSchema>(name: string, schema: Schema): SettingValues<Schema> {
    const values = Object.keys(schema).map((key) => [key, this.#values.get(`${name}.${key}`)?.value]);
    return Object.freeze(Object.fromEntries(values));
  }

  entries(): Iterable<ConfiguredValue> {
    return this.#values.values();
  }

  /** The values to mask wherever they appear. */
  secrets(): readonly string[] {
    return [...this.#values.values()]
      .filter(({ setting: { secret }, value }) => (secret === 'address' ? !isPublicUrl(value) : secret))
      .flatMap(({ value }) => stringsIn(value));
  }

  /** Without the raw values, which include secrets. */
  toJSON() {
    return { settings: this.settings };
  }

  /** For the bean `configuration`: sections, keys, and for each the value and its origin. */
  get settings(): Readonly<Record<string, Readonly<Record<string, { value: unknown; origin: Origin }>>>> {
    const sections: Record<string, Record<string, { value: unknown; origin: Origin }>> = {};
    for (const { key, setting, value, origin } of this.#values.values()) {
      const [section = '', name = ''] = key.split('.');
      sections[section] ??= {};
      sections[section][name] = { value: setting.secret && value !== undefined ? '******' : value, origin };
    }
    return sections;
  }
}

/** Whether an address has no credentials: only a scheme, hosts, ports, a name and a database number. */
const isPublicUrl = (value: unknown) => /^[\w+]+:\/\/[\w.:,[\]-]+(?:\/\d*|\/[\w-]+(?:\/\d+)?)?$/.test(String(value));

/** The strings of a value: itself, or those in a list or a record. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
