import { type InspectionOptions, resolveOptions } from '../src/inspection-options.ts';
import type { ContainerKind } from '../src/walk/cursors.ts';
import { learningMasking } from '../src/walk/secret-scan.ts';
import { type Sink, Walk } from './plain-walk/walk.ts';

/** What a walk tells, as data: objects as lists of entries, since an object might lose or reorder some. */
export type Tree = null | boolean | number | bigint | string | Tree[] | { entries: [string, Tree][] };

class TreeSink implements Sink {
  root: Tree = null;
  readonly #open: (Tree[] | { entries: [string, Tree][] })[] = [];
  #key = '';

  key(name: string): void {
    this.#key = name;
  }
  null(): void {
    this.#add(null);
  }
  boolean(value: boolean): void {
    this.#add(value);
  }
  number(value: number | bigint): void {
    this.#add(value);
  }
  text(value: string): void {
    this.#add(value);
  }
  open(kind: ContainerKind): void {
    const container = kind === 'list' ? [] : { entries: [] };
    this.#add(container);
    this.#open.push(container);
  }
  close(): void {
    this.#open.pop();
  }

  #add(value: Tree): void {
    const parent = this.#open.at(-1);
    if (parent === undefined) this.root = value;
    else if (Array.isArray(parent)) parent.push(value);
    else parent.entries.push([this.#key, value]);
  }
}

export function treeOf(value: unknown, options: InspectionOptions = {}): Tree {
  const sink = new TreeSink();
  const resolved = resolveOptions(options);
  const walk = new Walk(value, sink, {
    ...resolved,
    masking: learningMasking(value, resolved.masking, resolved.contentOf),
  });
  while (walk.step());
  return sink.root;
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
