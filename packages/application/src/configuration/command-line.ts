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

const hostFlags = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  verbose: { type: 'boolean' },
  config: { type: 'string' },
} as const;

export function readCommandLine(flags: readonly string[]): CommandLine {
  const { values } = parseArgs({ args: [...flags], options: hostFlags, strict: false });
  const { help, version, verbose, config } = values;
  // The message does not quote the value: it may be the next flag, with a secret.
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
    options: { ...options, ...hostFlags },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens.flatMap((token, index) => {
    if (token.kind === 'positional') {
      const before = tokens[index - 1];
      // Before the add-ons are loaded, it is unknown which of their flags take the next argument as their value.
      if (before?.kind === 'option' && !Object.hasOwn({ ...options, ...hostFlags }, before.name)) return [];
      throw hostError(
        'JIG_SETTING_UNKNOWN',
        `The command line has a word too many (number ${token.index + 1}); flags look like --server.port=8080; --help lists them.`,
      );
    }
    if (token.kind !== 'option' || Object.hasOwn(hostFlags, token.name)) return [];
    const named = byFlag.get(token.name);
    const value = token.value ?? named?.setting.bareFlag;
    return [{ key: named?.key ?? token.name, value, origin: `flag ${token.rawName}` }];
  });
}
