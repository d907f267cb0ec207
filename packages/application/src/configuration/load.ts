import { hostError } from '../errors.ts';
import { readFlags } from './command-line.ts';
import { Configuration, type ConfiguredValue } from './configuration.ts';
import {
  type ConfigurationSchema,
  environmentPrefix,
  type GivenValue,
  type NamedSetting,
  namedSettings,
  readEnvironment,
} from './names.ts';
import { InvalidValue, type Setting } from './setting.ts';

interface ConfigurationSources {
  /** What the application's own code gives in place of defaults: sections to settings. */
  readonly defaults?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** From `jig.config.json`. */
  readonly file: readonly GivenValue[];
  readonly environment: NodeJS.ProcessEnv;
  readonly flags: readonly string[];
}

/** Sections that may have unknown settings: those of excluded add-ons; `all` before the add-ons are loaded. */
type UncheckedSections = ReadonlySet<string> | 'all';

/** Every setting of the schema, from its default, the file, the environment or the flags; the later wins. */
export function loadConfiguration(
  schema: ConfigurationSchema,
  sources: ConfigurationSources,
  { unchecked = new Set() }: { readonly unchecked?: UncheckedSections } = {},
): Configuration {
  const settings = namedSettings(schema);
  const given = [
    ...valuesOf(sources.defaults ?? {}),
    ...sources.file,
    ...readEnvironment(sources.environment, settings),
    ...readFlags(sources.flags, settings),
  ];
  const byKey = new Map(settings.map((setting) => [setting.key, setting]));
  const winning = new Map<string, ConfiguredValue>();
  for (const value of given) {
    const named = byKey.get(value.key);
    if (named !== undefined) winning.set(value.key, configured(named, value));
    else if (!isUnchecked(value.key, unchecked)) throw unknownSetting(value);
  }
  return new Configuration(
    settings.map(({ key, setting }) => winning.get(key) ?? { key, setting, value: setting.default, origin: 'default' }),
  );
}

const valuesOf = (sections: NonNullable<ConfigurationSources['defaults']>): readonly GivenValue[] =>
  Object.entries(sections).flatMap(([section, settings]) =>
    Object.entries(settings ?? {})
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ({ key: `${section}.${name}`, value, origin: 'code of the application' })),
  );

/** Validates every value, also one that is overridden: else a mistake would show only once the override is gone. */
function configured({ key, setting }: NamedSetting, given: GivenValue): ConfiguredValue {
  try {
    return { key, setting, value: setting.parse(given.value), origin: given.origin };
  } catch (error) {
    if (error instanceof InvalidValue) throw invalidSetting(key, setting, given, error.message);
    throw error;
  }
}

function isUnchecked(key: string, unchecked: UncheckedSections): boolean {
  if (unchecked === 'all') return true;
  return [...unchecked].some((section) => key.startsWith(`${section}.`) || key.startsWith(environmentPrefix(section)));
}

function unknownSetting({ key, origin }: GivenValue) {
  const sentence = `Unknown setting ${JSON.stringify(key.slice(0, 100))} (${origin}); --help lists the settings.`;
  return hostError('JIG_SETTING_UNKNOWN', sentence, { fields: { key, origin } });
}

function invalidSetting(key: string, setting: Setting, given: GivenValue, expected: string) {
  const shownValue = setting.secret
    ? 'a value that is not shown here'
    : (JSON.stringify(given.value)?.slice(0, 100) ?? 'nothing');
  return hostError('JIG_SETTING_INVALID', `Setting ${key} got ${shownValue} (${given.origin}); expected ${expected}.`, {
    fields: { key, origin: given.origin, expected },
  });
}
