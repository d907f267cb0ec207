import type { Origin } from './configuration.ts';
import type { Setting, SettingsSchema } from './setting.ts';

/** A value given for a key that may not exist. */
export interface GivenValue {
  readonly key: string;
  readonly value: unknown;
  readonly origin: Origin;
}

/** All settings of an application: sections to schemas. */
export type ConfigurationSchema = Readonly<Record<string, SettingsSchema>>;

export interface NamedSetting {
  readonly key: string;
  readonly setting: Setting;
  readonly environment: string;
  /** Long flag first. */
  readonly flags: readonly string[];
}

const toUpperSnakeCase = (name: string) => name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toUpperCase();

/** The environment variables of a section begin with this. */
export const environmentPrefix = (section: string) => `JIG_${toUpperSnakeCase(section)}_`;

/** Every setting with its names in the file, in the environment and on the command line. */
export function namedSettings(schema: ConfigurationSchema): readonly NamedSetting[] {
  return Object.entries(schema).flatMap(([section, settings]) =>
    Object.entries(settings).map(([name, setting]) => ({
      key: `${section}.${name}`,
      setting,
      environment: setting.environment ?? environmentPrefix(section) + toUpperSnakeCase(name),
      flags: [`${section}.${name}`, ...(setting.flag === undefined ? [] : [setting.flag])],
    })),
  );
}

/** The settings given as environment variables; an empty variable counts as not set. An unknown `JIG_…` variable is returned under its own name. */
export function readEnvironment(
  environment: NodeJS.ProcessEnv,
  settings: readonly NamedSetting[],
): readonly GivenValue[] {
  const keys = new Map(settings.map((setting) => [setting.environment, setting.key]));
  return Object.entries(environment).flatMap(([variable, value]) => {
    const key = keys.get(variable);
    if (value === '' || (key === undefined && !variable.startsWith('JIG_'))) return [];
    return [{ key: key ?? variable, value, origin: `environment variable ${variable}` }];
  });
}

/** The text of `--help`. */
export function helpText(application: string, schema: ConfigurationSchema): string {
  const blocks = namedSettings(schema).map(({ setting, environment, flags }) =>
    [
      `  ${flags.map((flag) => `--${flag}`).join(', ')}`,
      `      ${setting.description}`,
      `      ${environment}; default ${setting.show(setting.default)}; ${setting.expected}`,
    ].join('\n'),
  );
  return [
    `${application}: settings, as flags, environment variables, or section.key in jig.config.json (flags win, then the environment).`,
    '',
    ...blocks,
    '  --config FILE',
    '      Read this file instead of jig.config.json.',
    '  --verbose',
    '      Show the stack when the start fails.',
    '  --help, -h',
    '  --version',
    '',
  ].join('\n');
}
