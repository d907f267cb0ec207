import type { Setting, SettingsSchema } from './setting.ts';

/** All settings of an application: sections to schemas. */
export type ConfigurationSchema = Readonly<Record<string, SettingsSchema>>;

export interface NamedSetting {
  readonly section: string;
  readonly key: string;
  readonly setting: Setting;
  readonly environment: string;
  /** Long flag first. */
  readonly flags: readonly string[];
}

const inCapitals = (name: string) => name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toUpperCase();

/** The environment variables of a section begin with this. */
export const environmentPrefix = (section: string) => `JIG_${inCapitals(section)}_`;

/** Every setting with the names it goes by in the file, in the environment and on the command line. */
export function namedSettings(schema: ConfigurationSchema): readonly NamedSetting[] {
  return Object.entries(schema).flatMap(([section, settings]) =>
    Object.entries(settings).map(([name, setting]) => ({
      section,
      key: `${section}.${name}`,
      setting,
      environment: setting.environment ?? environmentPrefix(section) + inCapitals(name),
      flags: [`${section}.${name}`, ...(setting.flag === undefined ? [] : [setting.flag])],
    })),
  );
}
