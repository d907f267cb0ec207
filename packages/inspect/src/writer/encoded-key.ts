import { type Secrecy, secrecyOfKey } from '../masking/secret-key.ts';
import type { SecretFinder } from '../masking/secrets.ts';
import { xmlName } from '../xml/xml-name.ts';
import { Constant } from './byte-output.ts';

/** The key of an entry: encoded when it has been met before. */
export type EntryKey = EncodedKey | string;

/** A key as the bytes that stand before and after its value. */
export class EncodedKey {
  readonly text: string;
  readonly secrecy: Secrecy;
  /** The known secrets that are not in this key. */
  cleanOf: SecretFinder | undefined;
  /** Made when first asked for; fields, since getters are called for each entry. */
  json: Constant | undefined;
  xml: XmlTags | undefined;

  constructor(text: string) {
    this.text = text;
    this.secrecy = secrecyOfKey(text);
  }

  makeJson(): Constant {
    this.json = new Constant(`${JSON.stringify(this.text)}:`);
    return this.json;
  }

  makeXml(): XmlTags {
    this.xml = new XmlTags(xmlName(this.text));
    return this.xml;
  }
}

class XmlTags {
  readonly open: Constant;
  readonly close: Constant;

  constructor(name: string) {
    this.open = new Constant(`<${name}>`);
    this.close = new Constant(`</${name}>`);
  }
}

/** Every item of a list. */
export const itemKey = new EncodedKey('item');

/** Escaped seven times as long, the keys of all containers that are written by nested calls fit into the reserve of the output. */
const longestEncoded = 80;
const maxEncoded = 2000;
const encoded = new Map<string, EncodedKey | undefined>();

/** A key that was asked for before; undefined for the first time, since most keys of a dictionary come only once. */
export function encodedKey(text: string, isName = true): EncodedKey | undefined {
  const known = encoded.get(text);
  if (known !== undefined || text.length > longestEncoded) return known;
  if (encoded.size >= maxEncoded) encoded.clear();
  // What is no name of a property may be a part of a long text, all of which it would keep in memory: so it is copied.
  const kept = isName ? text : ` ${text}`.slice(1);
  const key = encoded.has(text) ? new EncodedKey(kept) : undefined;
  encoded.set(kept, key);
  return key;
}
