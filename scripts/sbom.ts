// npm run sbom: the bill of materials of what is shipped, in CycloneDX, on standard output.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { shippedPackages } from './shipped-packages.ts';

interface BillOfMaterials {
  readonly components: readonly { readonly 'bom-ref': string; readonly name: string; readonly version: string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

// All of it, since npm leaves out with the development dependencies what is one here and shipped there.
const all = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  maxBuffer: 2 ** 27,
  stdio: ['ignore', 'pipe', 'ignore'],
});
const bill = JSON.parse(all.toString()) as BillOfMaterials;
const shipped = new Set((await shippedPackages()).map(({ name, version }) => `${name}@${version}`));
const components = bill.components.filter(({ name, version }) => shipped.has(`${name}@${version}`));
const refs = new Set(components.map((component) => component['bom-ref']));
const dependencies = bill.dependencies.flatMap(({ ref, dependsOn }) =>
  refs.has(ref) ? [{ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }] : [],
);
console.log(JSON.stringify({ ...bill, components, dependencies }, null, 2));
