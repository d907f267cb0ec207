import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));

type Versions = Readonly<Record<string, string>>;

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly dependencies?: Versions;
  readonly peerDependencies?: Versions;
  readonly [field: string]: unknown;
}

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

const neededVersions = ({ dependencies, peerDependencies }: Manifest): Versions => ({
  ...dependencies,
  ...peerDependencies,
});

/** Those that are published, each after the packages it needs, so that no published package lacks another. */
export function releasedPackages(): readonly Manifest[] {
  const manifests = readdirSync(join(root, 'packages')).map((name) => readManifest(`packages/${name}`));
  return inPublishingOrder(manifests.filter((manifest) => manifest.private !== true));
}

export function inPublishingOrder(manifests: readonly Manifest[]): readonly Manifest[] {
  const ordered = new Set<Manifest>();
  const visit = (manifest: Manifest) => {
    for (const needed of manifests.filter(({ name }) => Object.hasOwn(neededVersions(manifest), name))) {
      if (!ordered.has(needed)) visit(needed);
    }
    ordered.add(manifest);
  };
  for (const manifest of manifests) visit(manifest);
  return [...ordered];
}

/** One sentence for each version that differs from the one that is released. */
export function versionProblems(version: string, manifests: readonly Manifest[]): readonly string[] {
  const names = new Set(manifests.map(({ name }) => name));
  return manifests.flatMap((manifest) => [
    ...(manifest.version === version ? [] : [`${manifest.name} has version ${manifest.version}, not ${version}.`]),
    ...Object.entries(neededVersions(manifest))
      .filter(([name, needed]) => names.has(name) && needed !== version)
      .map(([name, needed]) => `${manifest.name} needs ${name} ${needed}, not ${version}.`),
  ]);
}

const requiredFields = [
  'description',
  'keywords',
  'license',
  'type',
  'engines',
  'sideEffects',
  'types',
  'exports',
  'files',
  'publishConfig',
];

const missingFields = (manifests: readonly Manifest[], fields: readonly string[]): readonly string[] =>
  manifests.flatMap((manifest) =>
    fields
      .filter((field) => manifest[field] === undefined)
      .map((field) => `The package.json of ${manifest.name} has no ${field}.`),
  );

/** One sentence for each package whose package.json lacks what a reader of the registry looks for. */
export const manifestProblems = (manifests: readonly Manifest[]) => missingFields(manifests, requiredFields);

/** The same for the addresses of the project; npm attests only a package whose `repository` is where it was built. */
export const addressProblems = (manifests: readonly Manifest[]) =>
  missingFields(manifests, ['repository', 'homepage', 'bugs']);
