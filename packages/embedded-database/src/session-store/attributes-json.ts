import { DamagedSessionError, fromStorableText, type SessionAttributes, toStorableText } from '@jig/sessions';

/**
 * Attributes as a JSON object, so that a database can merge them by itself and a person can read them there. Each value comes with
 * the size of the attribute in UTF-8 bytes, so that the database can also add up: `{"zoneID": ["Asia/Kolkata", 18]}`.
 */
export function attributesToJson(attributes: SessionAttributes): string {
  const entries = [...attributes].map(([name, value]) => [
    toStorableText(name),
    [toStorableText(value), Buffer.byteLength(name) + Buffer.byteLength(value)],
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}

/** `Object.entries` sees own keys only, so a key such as `__proto__` is one like any other. */
export function attributesFromJson(json: string): SessionAttributes {
  try {
    const entries = Object.entries(JSON.parse(json) as Record<string, [string, number]>);
    return new Map(entries.map(([name, [value]]) => [fromStorableText(name), fromStorableText(value)]));
  } catch (cause) {
    throw damaged(cause);
  }
}

/** The classes of SQLSTATE that concern a row: its data is not what a statement expects, breaks a rule, or is corrupted. */
const rowStates = /^(?:22|23)|^XX001$/;

/** An error of the database, as one of the session alone where it is that. */
export function rethrow(error: unknown): never {
  const { code, sqlState } = (error ?? {}) as { code?: unknown; sqlState?: unknown };
  throw rowStates.test(String(sqlState ?? code)) ? damaged(error) : error;
}

const damaged = (cause: unknown) => new DamagedSessionError('The row of a session is damaged.', { cause });
