import { hostError } from '../errors.ts';
import { readFlags } from './command-line.ts';
import { Configuration, type ConfiguredValue, type Origin } from './configuration.ts';
import {
  type ConfigurationSchema,
  environmentPrefix,
  type GivenValue,
  type NamedSetting,
  namedSettings,
  readEnvironment,
} from './named-settings.ts';
import type { ConfigurationFile } from './read-configuration-file.ts';
import { refused, type Setting } from './setting.ts';

interface ConfigurationSources {
  /** What the application's own code gives in place of defaults: sections to settings. */
  readonly defaults?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The content of `jig.config.json`. */
  readonly file: ConfigurationFile;
  readonly environment: NodeJS.ProcessEnv;
  readonly flags: readonly string[];
}

/** Sections of excluded add-ons, whose keys are not checked; `all` before the add-ons are loaded. */
type UncheckedSections = ReadonlySet<string> | 'all';

/** Every setting of the schema, from its default, the file, the environment or the flags; the later wins. */
export function loadConfiguration(
  schema: ConfigurationSchema,
  sources: ConfigurationSources,
  foreign: UncheckedSections = new Set(),
): Configuration {
  const settings = namedSettings(schema);
  const given = [
    ...valuesOf(sources.defaults ?? {}),
    ...sources.file.values,
    ...readEnvironment(sources.environment, settings),
    ...readFlags(sources.flags, settings),
  ];
  const byKey = new Map(settings.map((setting) => [setting.key, setting]));
  const winning = new Map<string, ConfiguredValue>();
  for (const value of given) {
    const named = byKey.get(value.key);
    if (named !== undefined) winning.set(value.key, configured(named, value));
    else if (!isUnchecked(value.key, foreign)) throw unknownSetting(value, settings);
  }
  for (const section of sources.file.sections) {
    const isKnown = Object.hasOwn(schema, section) || foreign === 'all' || foreign.has(section);
    if (!isKnown) throw unknownSection(section, sources.file.origin, schema);
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
  const value = setting.parse(given.value);
  const expected = value === refused ? setting.expected : setting.problem?.(value);
  if (expected !== undefined) throw invalidSetting(key, setting, given, expected);
  return { key, setting, value, origin: given.origin };
}

function isUnchecked(key: string, foreign: UncheckedSections): boolean {
  if (foreign === 'all') return true;
  return [...foreign].some((section) => key.startsWith(`${section}.`) || key.startsWith(environmentPrefix(section)));
}

function unknownSetting({ key, origin }: GivenValue, settings: readonly NamedSetting[]) {
  const isFlag = origin.startsWith('flag -');
  const known = origin.startsWith('environment variable ')
    ? settings.map((setting) => setting.environment)
    : settings.flatMap((setting) => (isFlag ? setting.flags : [setting.key]));
  const nearest = nearestName(key, known);
  const dashes = isFlag ? '--' : '';
  const sentence = `Unknown setting ${quoted(key)} (${origin}): ${hint(nearest && dashes + nearest)}`;
  return hostError('JIG_SETTING_UNKNOWN', sentence, { fields: { key, origin, nearest } });
}

/** For a section without settings; others are found by their settings. */
function unknownSection(section: string, origin: Origin, schema: ConfigurationSchema) {
  const nearest = nearestName(section, Object.keys(schema));
  const sentence = `Unknown section ${quoted(section)} (${origin}): ${hint(nearest)}`;
  return hostError('JIG_SETTING_UNKNOWN', sentence, { fields: { section, origin, nearest } });
}

const quoted = (name: string) => JSON.stringify(name.slice(0, 100));

const hint = (nearest: string | undefined) =>
  nearest === undefined ? '--help lists the settings.' : `did you mean ${nearest}?`;

function invalidSetting(key: string, setting: Setting, given: GivenValue, expected: string) {
  const came = setting.secret
    ? 'a value that is not shown here'
    : (JSON.stringify(given.value)?.slice(0, 100) ?? 'nothing');
  return hostError('JIG_SETTING_INVALID', `Setting ${key} got ${came} (${given.origin}); expected ${expected}.`, {
    fields: { key, origin: given.origin, expected },
  });
}

/** The number of single-character edits between two texts (Levenshtein). */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}

/** The known name closest to a misspelt one, if any is close enough. */
export function nearestName(misspelt: string, known: Iterable<string>): string | undefined {
  const asTyped = misspelt.slice(0, 64).toLowerCase();
  let nearest: string | undefined;
  // Of a short name, some character must be right.
  let least = Math.min(Math.max(2, Math.ceil(asTyped.length / 3)), asTyped.length - 1) + 1;
  for (const name of known) {
    const distance = editDistance(asTyped, name.toLowerCase());
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}
