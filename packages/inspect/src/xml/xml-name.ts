import { continuesName, nameCharacters, startsName } from './name-characters.ts';

/** The element name of the empty key. */
const emptyKey = '_x_';

const underscore = 0x5f;
const looksEscaped = /^_x[0-9A-Fa-f]{4}/;

/** A key as an element name: what a name cannot hold becomes `_xHHHH_`, so that the key can be had back. */
export function xmlName(key: string): string {
  if (key === '') return emptyKey;
  let name = '';
  let written = 0;
  for (let index = 0; index < key.length; index++) {
    if (isPlain(key, index)) continue;
    name += key.slice(written, index) + escaped(key.charCodeAt(index));
    written = index + 1;
  }
  return written === 0 ? key : name + key.slice(written);
}

/** The key that an element's name stands for. */
export function keyOfXmlName(name: string): string {
  if (name === emptyKey) return '';
  return name.replace(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

export function escaped(code: number): string {
  return `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`;
}

function isPlain(key: string, index: number): boolean {
  const code = key.charCodeAt(index);
  if (code === underscore) return !looksEscaped.test(key.slice(index, index + 6)) && (index > 0 || key !== emptyKey);
  return (nameCharacters[code] as number) >= (index === 0 ? startsName : continuesName);
}
