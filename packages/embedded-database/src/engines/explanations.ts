import { DatabaseError, type DatabaseErrorCode } from '../errors.ts';

/** Words of a server and what they mean. The sentence may use what the pattern caught. */
export interface KnownWords {
  readonly words: RegExp;
  readonly code: DatabaseErrorCode;
  readonly sentence: (match: RegExpExecArray) => string;
  /** Whether it goes away by itself. */
  readonly isTemporary?: boolean;
}

/** The first known words win, so the particular stand before the general. */
export function explainBy(known: readonly KnownWords[], lines: readonly string[]): DatabaseError | undefined {
  const said = lines.join('\n');
  for (const { words, code, sentence, isTemporary = false } of known) {
    const match = words.exec(said);
    if (match !== null) return new DatabaseError(code, sentence(match), { isTemporary });
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
  return new DatabaseError(
    'JIG_DATABASE_SETTING_REFUSED',
    `The database server does not accept the setting "${name}" of database.serverSettings. Correct or remove it.`,
    { fields: { setting: name } },
  );
}
