/** A text that gives a secret away as it stands, without being unescaped. */
export interface Word {
  readonly text: string;
  /** How many characters before and after the text hold some bits of the secret, beside bits of its neighbours. */
  readonly before: 0 | 1;
  readonly after: 0 | 1;
}

/** The texts to look for: the secret itself, and its bytes in base64, base64url, hexadecimal and as a list of numbers. */
export function wordsOf(secret: string): Word[] {
  const texts = plainForms(secret);
  const plain = texts.flatMap((text) => {
    const bytes = Buffer.from(text);
    const hex = bytes.toString('hex');
    // UTF-8 is often read as Latin-1, and `JSON.stringify` writes a buffer as a list of numbers.
    return [text, bytes.toString('latin1'), hex, hex.toUpperCase(), bytes.join(',')];
  });
  const encoded = [...new Set(texts.flatMap(escapedForms))].map((text) => Buffer.from(text));
  const wide = texts.flatMap((text) => [Buffer.from(text, 'utf16le'), ...latin1Bytes(text)]);
  return [...plain.map((text): Word => ({ text, before: 0, after: 0 })), ...[...encoded, ...wide].flatMap(base64Words)];
}

/** The secret, and what becomes of it where white space around it is cut off, in a URL, and in a form. */
function plainForms(secret: string): string[] {
  // A lone surrogate, which UTF-8 cannot hold, becomes the replacement character.
  const encodable = Buffer.from(secret).toString();
  // The URL parser drops these, and takes a backslash for a slash (WHATWG URL, section 4.4).
  const inQuery = encodable.replace(/[\t\n\r]/g, '');
  // The URL parser also leaves a percent sign as it is, so that what looks like an escape is undone with the others.
  const undone = Unescaped.from(encodable, percent)?.text ?? secret;
  const forms = [secret, encodable, secret.trim(), inQuery, inQuery.replaceAll('\\', '/'), undone];
  return [...new Set(forms.flatMap((form) => [form, form.replaceAll(' ', '+')]))];
}

/** A text as JSON, addresses and forms hold it, which may then be encoded as a whole. */
function escapedForms(text: string): string[] {
  const inAddress = encodeURIComponent(Buffer.from(text).toString());
  const inForm = new URLSearchParams([['', text]]).toString().slice(1);
  return [text, JSON.stringify(text).slice(1, -1), inAddress, inForm];
}

/** The bytes that `btoa` and old protocols make of a text; none where they cannot hold it. */
function latin1Bytes(text: string): Buffer[] {
  return /[^\0-\xff]/.test(text) ? [] : [Buffer.from(text, 'latin1')];
}

/**
 * The base64 of any text that holds these bytes: they may begin at any of three places within a group of four
 * characters, and at the ends they share a character with what stands beside them.
 */
function base64Words(bytes: Buffer): Word[] {
  return [0, 1, 2].flatMap((offset) => {
    const bits = (offset + bytes.length) * 8;
    const base64 = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const text = base64.slice(Math.ceil((offset * 8) / 6), Math.floor(bits / 6));
    const word = { before: offset === 0 ? 0 : 1, after: bits % 6 === 0 ? 0 : 1 } as const;
    return [
      { ...word, text },
      { ...word, text: text.replaceAll('+', '-').replaceAll('/', '_') },
    ];
  });
}

/** How much may be done for one text, in units of about 5 ns: no text may stop everybody else for longer than some 20 ms. */
export class Work {
  #left = 4_000_000;

  /** False when there is nothing left, so that the text must be taken to hold a secret. */
  spend(units: number): boolean {
    this.#left -= units;
    return this.#left >= 0;
  }

  get isDone(): boolean {
    return this.#left < 0;
  }
}

/** What it takes to undo one escape, and one of the simplest kind. */
const escapeUnits = 40;
const signUnits = 20;

const percent = 0x25;
const ampersand = 0x26;
const backslash = 0x5c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const letterU = 0x75;
const letterX = 0x78;
const kinds = [percent, ampersand, backslash, lineFeed];

const escapeSigns = new Uint8Array(0x10000);
for (const kind of kinds) escapeSigns[kind] = 1;

/** Up to here a loop is quicker than four calls. */
const shortText = 64;

/** Asked of every text, and most have none. */
export function mayHaveEscapes(text: string): boolean {
  if (text.length > shortText) return ['%', '&', '\\', '\n'].some((sign) => text.includes(sign));
  let found = 0;
  for (let index = 0; index < text.length; index++) found |= escapeSigns[text.charCodeAt(index)] as number;
  return found !== 0;
}

/** The kinds of escapes by their first character, one character each. */
const escapes: Readonly<Record<number, RegExp>> = {
  // By UTF-8, by Latin-1, and as `escape` has it (ECMAScript, annex B.2.1.1).
  [percent]:
    /%(?:[0-7][\da-f]|[cd][\da-f]%[89ab][\da-f]|e[\da-f](?:%[89ab][\da-f]){2}|f[0-7](?:%[89ab][\da-f]){3}|[89a-f][\da-f]|u[\da-f]{4})/iy,
  // Of HTML and XML.
  [ampersand]: /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});/iy,
  // Base64 is broken into lines of some 70 characters (RFC 2045, section 6.8), and they may be indented.
  [lineFeed]: /\n[ \t]*/y,
  // Of JSON, JavaScript and regular expressions.
  [backslash]: /\\(?:u[\da-fA-F]{4}|u\{[\da-fA-F]{1,6}\}|x[\da-fA-F]{2}|.)/sy,
};

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', 0: '\0' };
const references: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Where an escape ends; where it begins when it is none. */
function endOfEscape(text: string, index: number, kind: number, pattern: RegExp): number {
  const next = text.charCodeAt(index + 1);
  if (kind === backslash && next !== letterU && next !== letterX && index + 1 < text.length) return index + 2;
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : index;
}

function decoded(sequence: string): string {
  switch (sequence.charCodeAt(0)) {
    case percent:
      if (sequence.length === 3) return character(sequence.slice(1));
      if (sequence.charCodeAt(3) !== percent) return character(sequence.slice(2));
      return Buffer.from(sequence.replaceAll('%', ''), 'hex').toString();
    case ampersand:
      if (sequence.charAt(1) !== '#') return references[sequence.slice(1, -1).toLowerCase()] as string;
      return /x/i.test(sequence) ? character(sequence.slice(3, -1)) : character(sequence.slice(2, -1), 10);
    default:
      return sequence.length > 2 ? character(sequence.slice(2).replace('{', '')) : sequence.slice(1);
  }
}

function character(digits: string, radix = 16): string {
  const code = Number.parseInt(digits, radix);
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
}

/** Where something stands in a text: its start, and its end, which is no longer part of it. */
export type Range = readonly [start: number, end: number];

/** Enough for JSON in JSON in a form in JSON with signs of all kinds; a hostile text may have any number. */
const maxLayers = 256;

/** A text with one kind of escapes undone, and the way back to where each character came from. */
export class Unescaped {
  readonly text: string;
  /** Four numbers for each escape: where it begins and ends in this text, and in the text that it was in. */
  readonly #places: readonly number[];
  readonly #outer: Unescaped | undefined;

  private constructor(text: string, places: readonly number[], outer: Unescaped | undefined) {
    this.text = text;
    this.#places = places;
    this.#outer = outer;
  }

  /** What a text may stand for: one kind of escapes undone, then another, or the same once more. Undefined when that is too much work. */
  static layersOf(original: string, work: Work): readonly Unescaped[] | undefined {
    const layers: Unescaped[] = [];
    const known = new Set([original]);
    for (let index = -1; index < layers.length; index++) {
      const outer = layers[index];
      const text = outer?.text ?? original;
      for (const kind of kinds) {
        const layer = Unescaped.from(text, kind, outer, work);
        if (!work.spend(text.length >> 4)) return undefined;
        if (layer === undefined || known.has(layer.text)) continue;
        if (layers.length === maxLayers) return undefined;
        known.add(layer.text);
        layers.push(layer);
      }
    }
    return layers;
  }

  /** Undefined when there is no escape of this kind in the text. Ends early when there is nothing left of the work. */
  static from(original: string, kind: number, outer?: Unescaped, work?: Work): Unescaped | undefined {
    const sign = String.fromCharCode(kind);
    const pattern = escapes[kind] as RegExp;
    const places: number[] = [];
    let text = '';
    let read = 0;
    for (let index = original.indexOf(sign); index >= 0; index = original.indexOf(sign, Math.max(read, index + 1))) {
      const end = endOfEscape(original, index, kind, pattern);
      if (work?.spend(end === index + 2 ? signUnits : escapeUnits) === false) break;
      if (end === index) continue;
      const isTwo = kind === lineFeed && index > read && original.charCodeAt(index - 1) === carriageReturn;
      const from = isTwo ? index - 1 : index;
      text += original.slice(read, from);
      const start = text.length;
      // An escaped sign stands for itself, and is the most frequent by far.
      if (kind === backslash && end === index + 2)
        text += controls[original[index + 1] as string] ?? original[index + 1];
      else if (kind !== lineFeed) text += decoded(original.slice(index, end));
      read = end;
      places.push(start, text.length, from, read);
    }
    return places.length === 0 ? undefined : new Unescaped(text + original.slice(read), places, outer);
  }

  /** The range of the original that a range of this text was made from. */
  original([start, end]: Range): Range {
    const range: Range = [this.#origin(start, 2), this.#origin(end, 3)];
    return this.#outer === undefined ? range : this.#outer.original(range);
  }

  /** Where a position came from; inside an escape, its own start or end, as the side says. */
  #origin(position: number, side: 2 | 3): number {
    const places = this.#places;
    let low = 0;
    let high = places.length / 4;
    while (low < high) {
      const middle = (low + high) >> 1;
      const start = places[middle * 4] as number;
      // What stands for nothing is before a range that begins there, and behind one that ends there.
      const isBefore = start === position && side === 2 && places[middle * 4 + 1] === start;
      if (start < position || isBefore) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return position;
    const end = places[low * 4 - 3] as number;
    if (position < end) return places[low * 4 - 4 + side] as number;
    return (places[low * 4 - 1] as number) + position - end;
  }
}
