import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { XMLParser } from 'fast-xml-parser';
import type { Element } from './tree.ts';

/** The key that an element's name stands for. */
export function keyOfXmlName(name: string): string {
  if (name === '_x_') return '';
  return name.replace(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const run = promisify(execFile);

const largeOutput = { maxBuffer: 2 ** 28 };

/** What libxml2 (Debian: libxml2-utils) reads. A prefix that is not declared is no error in XML itself. */
export function readWithLibxml2(documents: readonly string[]): Promise<Element[]> {
  return throughFiles(documents, (folder, names) =>
    Promise.all(
      names.map(
        async (name) => (await run('xmllint', ['--nonet', '--c14n', name], { cwd: folder, ...largeOutput })).stdout,
      ),
    ),
  );
}

/** What expat (Debian: expat) reads. */
export function readWithExpat(documents: readonly string[]): Promise<Element[]> {
  return throughFiles(documents, async (folder, names) => {
    const output = await mkdtemp(join(folder, 'out-'));
    const { stdout } = await run('xmlwf', ['-d', output, ...names], { cwd: folder, ...largeOutput });
    if (stdout.trim() !== '') throw new Error(`expat: ${stdout.slice(0, 500)}`);
    return Promise.all(names.map((name) => readFile(join(output, name), 'utf8')));
  });
}

async function throughFiles(
  documents: readonly string[],
  read: (folder: string, names: string[]) => Promise<string[]>,
): Promise<Element[]> {
  const folder = await mkdtemp(join(tmpdir(), 'jig-xml-'));
  try {
    const names = documents.map((_, index) => `${index}.xml`);
    await Promise.all(names.map((name, index) => writeFile(join(folder, name), documents[index] as string)));
    return (await read(folder, names)).map(elementOfCanonical);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

function unescaped(text: string): string {
  return text.replace(/&(?:#x([0-9A-F]+)|#(\d+)|(\w+));/g, (_, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return entities[name] ?? '';
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

/** Canonical XML, as both parsers write what they have read: no empty-element tags, no comments, every tag closed. */
function elementOfCanonical(text: string): Element {
  const open: { name: string; content: string | Element[] }[] = [{ name: '', content: [] }];
  for (const [, close, name, characters] of text.trimEnd().matchAll(/<(\/?)([^\s>]+)[^>]*>|([^<]+)/g)) {
    const innermost = open.at(-1) as (typeof open)[number];
    if (characters !== undefined) innermost.content = unescaped(characters);
    else if (close === '') {
      const element = { name: keyOfXmlName(name as string), content: '' };
      innermost.content = Array.isArray(innermost.content) ? innermost.content : [];
      innermost.content.push(element);
      open.push(element);
    } else open.pop();
  }
  const [document] = open;
  return (document as { content: Element[] }).content[0] as Element;
}

type Ordered = Record<string, Ordered[] | string>;

/** Names that fast-xml-parser refuses to read, for fear of what they do to its own objects. */
export const refusedByFastXmlParser =
  /__proto__|constructor|prototype|toString|valueOf|hasOwn|__define|__lookup|isPrototype|propertyIs|toLocale/;

/** What fast-xml-parser reads. */
export function readWithFastXmlParser(document: string): Element {
  const options = { preserveOrder: true, trimValues: false, parseTagValue: false, htmlEntities: true };
  const limits = { enabled: true, maxTotalExpansions: 1e9, maxExpandedLength: 1e9 };
  const parser = new XMLParser({ ...options, processEntities: limits });
  return elementOfOrdered((parser.parse(document) as Ordered[])[0] as Ordered);
}

function elementOfOrdered(ordered: Ordered): Element {
  const [name = '', children = []] = Object.entries(ordered).find(([key]) => key !== ':@') ?? [];
  const [only] = children as Ordered[];
  const isText = only !== undefined && '#text' in only;
  const content = isText ? (only['#text'] as string) : (children as Ordered[]).map(elementOfOrdered);
  return { name: keyOfXmlName(name), content: content.length === 0 ? '' : content };
}
