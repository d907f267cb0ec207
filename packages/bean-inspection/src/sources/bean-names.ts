import { ownName, typeOfValue } from './bean-values.ts';

/** The name of a token: a class by its name, a symbol by its description, any other object by its own `name` or its class. */
export function nameOfToken(token: unknown): string {
  if (typeof token === 'string') return token;
  if (typeof token === 'function') return ownName(token) ?? '(anonymous)';
  if (typeof token === 'symbol') return token.description || '(symbol)';
  if (typeof token !== 'object' || token === null) return String(token);
  return ownName(token) ?? typeOfValue(token);
}

/** The name itself, or with the first number that makes it different from those taken. */
export function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) if (!taken.has(`${name}#${number}`)) return `${name}#${number}`;
}

/** A different name for each item: its own, or with the owner where several have the same, or with a number where that is not enough. */
export function uniqueNames<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  ownerOf: (item: Item) => string,
): Map<string, Item> {
  const names = items.map(nameOf);
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const name of names) (seen.has(name) ? shared : seen).add(name);
  const named = new Map<string, Item>();
  items.forEach((item, index) => {
    const name = names[index] as string;
    named.set(freeName(shared.has(name) ? `${ownerOf(item)}:${name}` : name, named), item);
  });
  return named;
}
