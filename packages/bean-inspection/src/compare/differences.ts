/** An operation of JSON Patch (RFC 6902), of the kinds that a comparison has. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

export type DifferenceKind = 'changed' | 'added' | 'removed';

/** One value that differs between two documents. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** A JSON Pointer: into the new document, or into the old one for what was removed. */
  readonly pointer: string;
  /** Absent for what was added. */
  readonly before?: unknown;
  /** Absent for what was removed. */
  readonly now?: unknown;
}

/** What turns one JSON document into another: applied in order, the operations give the new document. */
export async function createPatch(before: unknown, now: unknown): Promise<readonly PatchOperation[]> {
  if (!isContainer(before) || !isContainer(now) || Array.isArray(before) !== Array.isArray(now))
    return before === now ? [] : [{ op: 'replace', path: '', value: now }];
  // It is loaded when somebody compares, which few do.
  const { default: patches } = await import('fast-json-patch');
  return patches.compare(before, now) as readonly PatchOperation[];
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

const kinds = { add: 'added', remove: 'removed', replace: 'changed' } as const;

/** The operations of a patch by the values that they concern. */
export async function differencesOf(before: unknown, patch: readonly PatchOperation[]): Promise<readonly Difference[]> {
  const { default: patches } = await import('fast-json-patch');
  const valueBefore = (path: string): unknown =>
    path === '' ? before : patches.getValueByPointer(before as object, path);
  return patch
    .map((operation) => {
      const { op, path } = operation;
      return {
        kind: kinds[op],
        pointer: path,
        ...(op === 'add' ? {} : { before: valueBefore(path) }),
        ...(op === 'remove' ? {} : { now: operation.value }),
      };
    })
    .sort((a, b) => comparePointers(a.pointer, b.pointer));
}

/** In the order of a document: items by their number, keys by their text. */
function comparePointers(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const [x = '', y = ''] = [left[index], right[index]];
    if (x === y) continue;
    const difference = Number(x) - Number(y);
    return Number.isNaN(difference) ? (x < y ? -1 : 1) : difference;
  }
  return left.length - right.length;
}
