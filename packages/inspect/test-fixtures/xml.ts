import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** An XML element: the key that it stands for, and its text or its child elements. */
export interface Element {
  readonly name: string;
  readonly content: string | Element[];
}

/** Characters outside of XML 1.0, section 2.2. */
const forbidden = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** JSON has no more digits of a BigInt than a number has. */
const asRead = (text: string) => (/^-?\d{16,}$/.test(text) ? String(Number(text)) : text);

/** The element of a value of a JSON document. */
export function elementOf(name: string, value: unknown): Element {
  if (typeof value !== 'object' || value === null)
    return {
      name,
      content: asRead(String((value as string | number | boolean | null) ?? '').replace(forbidden, '\uFFFD')),
    };
  const children = Array.isArray(value)
    ? value.map((item) => elementOf('item', item))
    : Object.entries(value).map(([key, each]) => elementOf(key, each));
  return { name, content: children.length === 0 ? '' : children };
}

/** Entries in the order of `JSON.parse`, which puts keys that are indices first. */
export function inOrderOfJson<Entry>(entries: readonly Entry[], keyOf: (entry: Entry) => string): Entry[] {
  const indexOf = (entry: Entry) => {
    const index = Number(keyOf(entry)) >>> 0;
    return String(index) === keyOf(entry) && index < 2 ** 32 - 1 ? index : 2 ** 32;
  };
  return [...entries].sort((one, other) => indexOf(one) - indexOf(other));
}

const run = promisify(execFile);

/** What expat (Debian: expat) reads. */
export async function readXml(documents: readonly string[]): Promise<Element[]> {
  const folder = await mkdtemp(join(tmpdir(), 'jig-xml-'));
  try {
    const names = documents.map((_, index) => `${index}.xml`);
    await Promise.all(names.map((name, index) => writeFile(join(folder, name), documents[index] as string)));
    const output = await mkdtemp(join(folder, 'out-'));
    const { stdout } = await run('xmlwf', ['-d', output, ...names], { cwd: folder });
    if (stdout.trim() !== '') throw new Error(`expat: ${stdout.slice(0, 500)}`);
    const texts = await Promise.all(names.map((name) => readFile(join(output, name), 'utf8')));
    return texts.map(elementOfCanonical);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The key that an element's name stands for. */
function keyOfXmlName(name: string): string {
  if (name === '_x_') return '';
  return name.replace(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

const unescaped = (text: string) =>
  text.replace(/&(?:#(\d+)|(\w+));/g, (_, code: string, name: string) =>
    name === undefined ? String.fromCodePoint(Number(code)) : (entities[name] ?? ''),
  );

/** Canonical XML, as expat writes what it has read: no empty-element tags, no comments, every tag closed. */
function elementOfCanonical(text: string): Element {
  const open: { name: string; content: string | Element[] }[] = [{ name: '', content: [] }];
  for (const [, close, name, characters] of text.trimEnd().matchAll(/<(\/?)([^\s>]+)[^>]*>|([^<]+)/g)) {
    const innermost = open.at(-1) as (typeof open)[number];
    if (characters !== undefined) innermost.content = asRead(unescaped(characters));
    else if (close === '') {
      const element = { name: keyOfXmlName(name as string), content: '' };
      innermost.content = Array.isArray(innermost.content) ? innermost.content : [];
      innermost.content.push(element);
      open.push(element);
    } else {
      if (Array.isArray(innermost.content)) innermost.content = inOrderOfJson(innermost.content, (each) => each.name);
      open.pop();
    }
  }
  const [document] = open;
  return (document as { content: Element[] }).content[0] as Element;
}
