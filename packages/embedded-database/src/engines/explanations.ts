import { type DatabaseErrorCode, databaseError } from '../errors.ts';
import type { Explanation } from '../supervisor/supervised-server.ts';

/** Words of a server and what they mean. The sentence may use what the pattern caught. */
export interface KnownWords {
  readonly words: RegExp;
  readonly code: DatabaseErrorCode;
  readonly sentence: (match: RegExpExecArray) => string;
  readonly passing?: boolean;
}

/** The first known words win, so the particular stand before the general. */
export function explainBy(known: readonly KnownWords[], lines: readonly string[]): Explanation | undefined {
  const said = lines.join('\n');
  for (const { words, code, sentence, passing } of known) {
    const match = words.exec(said);
    if (match !== null) return { error: databaseError(code, sentence(match)), passing: passing === true };
  }
  return undefined;
}

const settingName = /^[A-Za-z][\w.-]*$/;

/** Names of server settings become arguments, so they must look like names. */
export function checkSettingNames(settings: Readonly<Record<string, string>>): void {
  const wrong = Object.keys(settings).find((name) => !settingName.test(name));
  if (wrong !== undefined) throw settingRefused(wrong);
}

export function settingRefused(name: string): Error {
  return databaseError(
    'JIG_DATABASE_SETTING_REFUSED',
    `The database server does not accept the setting "${name}" of database.serverSettings. Correct or remove it.`,
    { fields: { setting: name } },
  );
}
