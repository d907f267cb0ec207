import { readFile } from 'node:fs/promises';

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: object;
  readonly optionalDependencies?: object;
  readonly peerDependencies?: object;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** The packages that an installation of the service has, by the lock file, without ours. */
export async function shippedPackages() {
  const text = await readFile(new URL('../package-lock.json', import.meta.url), 'utf8');
  const { packages } = JSON.parse(text) as { packages: LockedPackages };
  const reached = new Set(['service']);
  // A Set also visits what is added meanwhile.
  for (const path of reached) {
    const entry = packages[path] ?? {};
    if (entry.link && entry.resolved !== undefined) reached.add(entry.resolved);
    // What is not installed, such as an optional dependency of another system, adds nothing.
    for (const name of needs(entry)) reached.add(placeOf(name, path, packages) ?? path);
  }
  return [...reached]
    .filter((path) => path.includes('node_modules/') && !packages[path]?.link)
    .map((path) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: packages[path]?.version ?? '',
      licence: packages[path]?.license ?? 'none stated',
    }));
}

function needs({ dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta }: LockedPackage) {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta?.[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** Where Node would find a package from another: in its own folder, or in one above. */
function placeOf(name: string, from: string, packages: LockedPackages): string | undefined {
  const folders = from.split('/').map((_, index, all) => `${all.slice(0, all.length - index).join('/')}/`);
  return [...folders, ''].map((folder) => `${folder}node_modules/${name}`).find((place) => place in packages);
}
