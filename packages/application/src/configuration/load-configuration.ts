import { hostError } from '../errors.ts';
import { readFlags } from './command-line.ts';
import { Configuration, type ConfiguredValue } from './configuration.ts';
import type { GivenValue } from './given-value.ts';
import { nearestName } from './nearest-name.ts';
import { readEnvironment } from './read-environment.ts';
import { refused, type Setting } from './setting.ts';
import { type ConfigurationSchema, environmentPrefix, type NamedSetting, namedSettings } from './setting-names.ts';

export interface ConfigurationSources {
  /** What `jig.config.json` gives. */
  readonly file: readonly GivenValue[];
  readonly environment: NodeJS.ProcessEnv;
  readonly flags: readonly string[];
}

/** Sections whose settings are known to somebody else, who is not here: their keys are left alone. Or `all`, as long as nobody knows yet. */
export type ForeignSections = ReadonlySet<string> | 'all';

/** Every setting of the schema, from its default or whoever overrides it: file, environment, flags, the later the stronger. */
export function loadConfiguration(
  schema: ConfigurationSchema,
  sources: ConfigurationSources,
  foreign: ForeignSections = new Set(),
): Configuration {
  const settings = namedSettings(schema);
  const given = [
    ...sources.file,
    ...readEnvironment(sources.environment, settings),
    ...readFlags(sources.flags, settings),
  ];
  const byKey = new Map(settings.map((setting) => [setting.key, setting]));
  const strongest = new Map<string, GivenValue>();
  for (const value of given) {
    if (byKey.has(value.key)) strongest.set(value.key, value);
    else if (!isForeign(value.key, foreign)) throw unknownSetting(value, settings);
  }
  return new Configuration(settings.map((setting) => configured(setting, strongest.get(setting.key))));
}

function configured({ key, setting }: NamedSetting, given: GivenValue | undefined): ConfiguredValue {
  if (given === undefined) return { key, setting, value: setting.default, origin: 'default' };
  const value = setting.parse(given.value);
  if (value === refused) throw invalidSetting(key, setting, given);
  return { key, setting, value, origin: given.origin };
}

function isForeign(key: string, foreign: ForeignSections): boolean {
  if (foreign === 'all') return true;
  return [...foreign].some((section) => key.startsWith(`${section}.`) || key.startsWith(environmentPrefix(section)));
}

function unknownSetting({ key, origin }: GivenValue, settings: readonly NamedSetting[]) {
  const known = origin.startsWith('environment')
    ? settings.map((setting) => setting.environment)
    : settings.flatMap((setting) => (origin.startsWith('flag') ? setting.flags : [setting.key]));
  const nearest = nearestName(key, known);
  const dashes = origin.startsWith('flag') ? '--' : '';
  const hint = nearest === undefined ? '--help lists the settings.' : `did you mean ${dashes}${nearest}?`;
  const name = JSON.stringify(key.slice(0, 100));
  return hostError('JIG_SETTING_UNKNOWN', `Unknown setting ${name} (${origin}): ${hint}`, {
    fields: { key, origin, nearest },
  });
}

function invalidSetting(key: string, setting: Setting, given: GivenValue) {
  const came = setting.secret
    ? 'a value that is not shown here'
    : (JSON.stringify(given.value)?.slice(0, 100) ?? 'nothing');
  return hostError(
    'JIG_SETTING_INVALID',
    `Setting ${key} got ${came} (${given.origin}); expected ${setting.expected}.`,
    {
      fields: { key, origin: given.origin, expected: setting.expected },
    },
  );
}
