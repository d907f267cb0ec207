/** What the filter of the list looks at. */
export interface FilteredBean {
  readonly name: string;
  readonly type: string;
  readonly scope: string;
  readonly owner: string;
}

/** Whether a bean has all words of the filter. The page's script and the server filter by the same rule. */
export function matchesFilter({ name, type, scope, owner }: FilteredBean, filter: string): boolean {
  const text = `${name} ${type} ${scope} ${owner}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
