import { continuesName, nameCharacters, startsName } from '../xml/name-characters.ts';

/** What must be looked at more closely: an escape, or a byte sequence of several bytes. */
export const special = 1;
/** An at sign, which may end the user-info of a URL. */
export const atSign = 2;
/** What begins an escape by which a secret may be hidden, but needs none itself. */
export const escapeSign = 4;

/** Beyond ASCII all is special, so that only its few characters are asked for: the tables are made whenever the service starts. */
function tableOf(kindOf: (code: number) => number): Uint8Array {
  const table = new Uint8Array(0x10000).fill(special);
  for (let code = 0; code < 0x7f; code += 1) table[code] = kindOf(code);
  return table;
}

function textKind(code: number, markup: string): number {
  if (code === 0x40) return atSign;
  const character = String.fromCharCode(code);
  if (code < 0x20 || markup.includes(character)) return special;
  return '%&\\'.includes(character) ? escapeSign : 0;
}

export const jsonCharacters = tableOf((code) => textKind(code, '"\\'));

/** A tab and a line feed are text like any other. */
export const xmlCharacters = tableOf((code) => (code === 0x09 || code === 0x0a ? 0 : textKind(code, '&<>')));

/** An underscore may begin what looks like an escape. */
export const underscore = 2;

export const nameStarts = tableOf((code) => nameKind(code, startsName));
export const nameContinues = tableOf((code) => nameKind(code, continuesName));

function nameKind(code: number, least: number): number {
  if (code === 0x5f) return underscore;
  return (nameCharacters[code] as number) < least ? special : 0;
}
