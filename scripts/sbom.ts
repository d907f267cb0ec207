// npm run sbom: the bill of materials of what is shipped, in CycloneDX, on standard output.
import { execSync } from 'node:child_process';
import { shippedPackages } from './shipped-packages.ts';

interface BillOfMaterials {
  readonly components: readonly { readonly 'bom-ref': string; readonly name: string; readonly version: string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

// All of it, since npm leaves out with the development dependencies what is one here and shipped there.
const command = 'npm sbom --silent --sbom-format cyclonedx --package-lock-only';
const all = execSync(command, { cwd: import.meta.dirname, maxBuffer: 2 ** 27 });
const bill = JSON.parse(all.toString()) as BillOfMaterials;
const shipped = new Set((await shippedPackages()).map(({ name, version }) => `${name}@${version}`));
const components = bill.components.filter(({ name, version }) => shipped.has(`${name}@${version}`));
const refs = new Set(components.map((component) => component['bom-ref']));
const dependencies = bill.dependencies.flatMap(({ ref, dependsOn }) =>
  refs.has(ref) ? [{ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }] : [],
);
console.log(JSON.stringify({ ...bill, components, dependencies }, null, 2));
