import { type ParseArgsConfig, parseArgs } from 'node:util';

/** What was typed cannot be understood; the exit code is 2. */
export class UsageError extends Error {}

/** The flags of a command, and what else stands on its line, where it takes that. */
export function parseFlags<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  allowPositionals = false,
): ReturnType<typeof parseArgs<{ options: Options; allowPositionals: boolean }>> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals });
  } catch (error) {
    // The rest of the message is about how to write a positional argument that looks like an option.
    throw new UsageError(`${(error as Error).message.split('. To specify')[0]}.`);
  }
}
