import { pointerTo } from '@jig/inspect/internal';

/** A pointer, and the value in each column; undefined where there is none. */
export interface Row {
  readonly pointer: string;
  readonly values: readonly unknown[];
}

/** Documents beside each other: two moments of a bean, or a bean in several instances. */
export interface Table {
  readonly different: readonly Row[];
  /** How many values are the same in all columns. */
  readonly equal: number;
  /** Whether more differs than is listed. */
  readonly isCut: boolean;
}

export const maxRows = 1000;

type Container = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What differs between documents, path by path, in their order; items of lists by their position. */
export function compareValues(columns: readonly unknown[]): Table {
  const different: Row[] = [];
  const path: string[] = [];
  let equal = 0;
  let isCut = false;
  const visit = (values: readonly unknown[]): void => {
    const [first] = values;
    if ((typeof first !== 'object' || first === null) && values.every((each) => each === first)) equal++;
    else if (values.every(isObject) || values.every(Array.isArray)) {
      const containers = values as readonly Container[];
      const keys = new Set<string>();
      for (const each of containers) for (const key of Object.keys(each)) keys.add(key);
      for (const key of keys) {
        path.push(key);
        visit(containers.map((each) => (Object.hasOwn(each, key) ? each[key] : undefined)));
        path.pop();
      }
    } else if (different.length < maxRows) different.push({ pointer: pointerTo(path), values });
    else isCut = true;
  };
  visit(columns);
  return { different, equal, isCut };
}

/** Whether a pointer is one of these, or below one of them. */
export function isWithin(pointer: string, pointers: ReadonlySet<string>): boolean {
  for (let path = pointer; ; path = path.slice(0, path.lastIndexOf('/'))) {
    if (pointers.has(path)) return true;
    if (path === '') return false;
  }
}

export type DifferenceKind = 'changed' | 'added' | 'removed';

/** How a value differs between two moments. */
export const kindOf = ({ values: [before, now] }: Row): DifferenceKind =>
  before === undefined ? 'added' : now === undefined ? 'removed' : 'changed';

const operations = { added: 'add', removed: 'remove', changed: 'replace' } as const;

/** What differs between two moments as JSON Patch (RFC 6902): applied in order, the operations turn the old document into the new one. */
export function toPatch(rows: readonly Row[]): readonly object[] {
  const isRemoved = (row: Row) => kindOf(row) === 'removed';
  // The last item of a list goes first, since the others move up.
  const ordered = [...rows.filter((row) => !isRemoved(row)), ...rows.filter(isRemoved).reverse()];
  return ordered.map((row) => ({ op: operations[kindOf(row)], path: row.pointer, value: row.values[1] }));
}
