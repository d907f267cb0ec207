import type { GivenValue } from './given-value.ts';
import type { NamedSetting } from './setting-names.ts';

/** The settings that the environment gives; an empty variable counts as not set. A `JIG_…` variable that is no setting is given under its own name. */
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
