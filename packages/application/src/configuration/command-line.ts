import { parseArgs } from 'node:util';
import { hostError } from '../errors.ts';
import type { GivenValue, NamedSetting } from './names.ts';

/** The flags that are not settings. */
export interface CommandLine {
  readonly help: boolean;
  readonly version: boolean;
  /** Show the stack when the start fails. */
  readonly verbose: boolean;
  /** Another configuration file than `jig.config.json`. */
  readonly configurationFile: string | undefined;
}

const commands = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  verbose: { type: 'boolean' },
  config: { type: 'string' },
} as const;

export function readCommandLine(flags: readonly string[]): CommandLine {
  const { values } = parseArgs({ args: [...flags], options: commands, strict: false });
  const { help, version, verbose, config } = values;
  // The next word may be a flag with a secret, which must not be shown.
  if (config !== undefined && (typeof config !== 'string' || !/^[^-]/.test(config)))
    throw hostError('JIG_SETTING_INVALID', 'Flag --config got none; expected the name of a file.');
  return { help: help === true, version: version === true, verbose: verbose === true, configurationFile: config };
}

/** The settings given as flags: `--server.port 9000`, `--port=9000`. */
export function readFlags(flags: readonly string[], settings: readonly NamedSetting[]): readonly GivenValue[] {
  const byFlag = new Map(settings.flatMap((setting) => setting.flags.map((flag) => [flag, setting] as const)));
  const options = Object.fromEntries(
    [...byFlag].map(([flag, { setting }]) => [
      flag,
      { type: setting.bareFlag === undefined ? ('string' as const) : ('boolean' as const) },
    ]),
  );
  const { tokens } = parseArgs({
    args: [...flags],
    options: { ...options, ...commands },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens.flatMap((token, place) => {
    if (token.kind === 'positional') {
      const before = tokens[place - 1];
      // Before the add-ons are loaded, it is unknown which of their flags take the next word.
      if (before?.kind === 'option' && !Object.hasOwn({ ...options, ...commands }, before.name)) return [];
      throw hostError(
        'JIG_SETTING_UNKNOWN',
        `The command line has a word too many (number ${token.index + 1}); flags look like --server.port=8080; --help lists them.`,
      );
    }
    if (token.kind !== 'option' || Object.hasOwn(commands, token.name)) return [];
    const named = byFlag.get(token.name);
    const value = token.value ?? named?.setting.bareFlag;
    return [{ key: named?.key ?? token.name, value, origin: `flag ${token.rawName}` }];
  });
}
