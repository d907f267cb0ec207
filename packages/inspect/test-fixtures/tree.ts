import type { EntryCursor } from '../src/entries/entry-cursor.ts';
import { type InspectionOptions, resolveOptions } from '../src/inspection-options.ts';
import { noSecret } from '../src/masking/secret-key.ts';
import { depthMarker, moreMarker } from '../src/objects/markers.ts';
import { learningMasking } from '../src/walk/secret-scan.ts';
import type { ShownScalar } from '../src/walk/shown-scalar.ts';
import type { ShownContainer } from '../src/walk/shown-value.ts';
import { type Page, type Place, type Visitor, Walk } from '../src/walk/walk.ts';

/** What a walk finds, as data: objects as lists of entries, since an object might lose or reorder some. */
export type Tree = null | boolean | number | bigint | string | Tree[] | { entries: [string, Tree][] };

class TreeVisitor implements Visitor {
  root: Tree = null;
  readonly #options: ReturnType<typeof resolveOptions>;
  readonly #open: (Tree[] | { entries: [string, Tree][] })[] = [];

  constructor(options: ReturnType<typeof resolveOptions>) {
    this.#options = options;
  }

  value({ literal, text, left }: ShownScalar, { name: key }: Place): void {
    this.#add(literal !== undefined ? literal : left > 0 ? text + moreMarker(left) : text, key);
  }
  open(_: ShownContainer, { name: key, depth }: Place, { isList }: EntryCursor): Page | undefined {
    const { depth: maxDepth, from, limit } = this.#options;
    if (depth >= maxDepth) {
      this.#add(depthMarker, key);
      return undefined;
    }
    const container = isList ? [] : { entries: [] };
    this.#add(container, key);
    this.#open.push(container);
    return { from: depth === 0 ? from : 0, limit };
  }
  close(left: number, moreKey: string): void {
    if (left > 0) this.#add(moreMarker(left), moreKey);
    this.#open.pop();
  }

  #add(value: Tree, key = ''): void {
    const parent = this.#open.at(-1);
    if (parent === undefined) this.root = value;
    else if (Array.isArray(parent)) parent.push(value);
    else parent.entries.push([this.#options.masking.key(key), value]);
  }
}

export function treeOf(value: unknown, options: InspectionOptions = {}): Tree {
  const given = resolveOptions(options);
  const masking = learningMasking(value, given.masking, given.context, given.contentOf);
  const resolved = { ...given, masking, places: new Map() };
  const visitor = new TreeVisitor(resolved);
  const walk = new Walk({ value, secrecy: noSecret }, resolved, visitor);
  while (walk.step());
  return visitor.root;
}

/** The same as `JSON.parse` would have it. */
export function asJson(tree: Tree): unknown {
  if (typeof tree === 'bigint') return Number(tree);
  if (Object.is(tree, -0)) return 0;
  if (tree === null || typeof tree !== 'object') return tree;
  if (Array.isArray(tree)) return tree.map(asJson);
  const object = {};
  for (const [key, value] of tree.entries) {
    Object.defineProperty(object, key, { value: asJson(value), enumerable: true, writable: true, configurable: true });
  }
  return object;
}

/** An XML element: its name, and its text or its child elements. */
export interface Element {
  readonly name: string;
  readonly content: string | Element[];
}

/** The same as an XML parser would have it, names undone. */
export function asXml(name: string, tree: Tree): Element {
  if (tree === null) return { name, content: '' };
  if (typeof tree === 'string') return { name, content: readable(tree) };
  if (typeof tree !== 'object') return { name, content: String(tree) };
  const children = Array.isArray(tree)
    ? tree.map((item) => asXml('item', item))
    : tree.entries.map(([key, value]) => asXml(key, value));
  return { name, content: children.length === 0 ? '' : children };
}

/** Characters outside of XML 1.0, section 2.2. */
const forbidden = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function readable(text: string): string {
  return text.replace(forbidden, '\uFFFD');
}
