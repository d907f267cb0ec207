import { basename, extname } from 'node:path';

/** A unique name for each file, from its own name and as many folders as needed: `orders`, `admin.orders`. */
export function moduleNames(files: Iterable<string>): ReadonlyMap<string, string> {
  const candidates = new Map(Array.from(new Set(files), (file) => [file, namesOf(file)]));
  const uses = new Map<string, number>();
  for (const name of [...candidates.values()].flat()) uses.set(name, (uses.get(name) ?? 0) + 1);
  return new Map(
    Array.from(candidates, ([file, names]) => [file, names.find((name) => uses.get(name) === 1) ?? names.at(-1) ?? '']),
  );
}

/** The names that a file may get, the shortest first. `index` is the name of its folder. */
function namesOf(file: string): readonly string[] {
  const folders = file
    .split(/[\\/]/)
    .filter((part) => part !== '' && part !== 'node_modules')
    .slice(0, -1);
  const name = basename(file, extname(file));
  const parts = name === 'index' && folders.length > 0 ? folders : [...folders, name];
  return parts.map((_part, index) => parts.slice(-1 - index).join('.'));
}
