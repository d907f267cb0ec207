import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { shippedPackages } from '../../../scripts/shipped-packages.ts';
import { root } from '../../architecture/imports.ts';

interface BillOfMaterials {
  readonly bomFormat: string;
  readonly components: readonly { readonly name: string; readonly version: string }[];
}

describe('what is shipped', () => {
  it('is complete in the bill of materials that npm run sbom prints', async () => {
    const run = promisify(execFile);
    const { stdout } = await run('npm', ['run', '--silent', 'sbom'], { cwd: root, maxBuffer: 2 ** 26 });
    const { bomFormat, components } = JSON.parse(stdout) as BillOfMaterials;
    expect(bomFormat).toBe('CycloneDX');
    const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
    const shipped = await shippedPackages();
    expect(shipped.map(({ name, version }) => `${name}@${version}`).filter((each) => !listed.has(each))).toEqual([]);
  });
});
