import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build, type ImportKind } from 'esbuild';
import { expect, it } from 'vitest';

const dist = fileURLToPath(new URL('../../packages/bean-inspection/dist/', import.meta.url));
const mounts = readdirSync(join(dist, 'mounts')).filter((file) => file.endsWith('.js'));

it.each(['index.js', 'add-on.js', ...mounts.map((file) => `mounts/${file}`)])(
  '%s loads the code that answers at the first request, not before',
  async (entry) => {
    const options = { bundle: true, format: 'esm', platform: 'node', packages: 'external', write: false } as const;
    const { metafile } = await build({ ...options, entryPoints: [join(dist, entry)], metafile: true });
    const loadedBy = (...kinds: readonly ImportKind[]) => {
      const loaded = new Set(Object.values(metafile.outputs).map(({ entryPoint = '' }) => entryPoint));
      // A Set also visits what is added meanwhile.
      for (const path of loaded)
        for (const next of metafile.inputs[path]?.imports ?? []) if (kinds.includes(next.kind)) loaded.add(next.path);
      return [...loaded];
    };
    expect(loadedBy('import-statement')).not.toContain('@jig/inspect/internal');
    expect(loadedBy('import-statement', 'dynamic-import')).toContain('@jig/inspect/internal');
  },
);

/** Serves a bean, and tells the answers for its document, the list as a page, and the style sheet of that. */
const bundled = `
import { createServer } from 'node:http';
import { beanInspection } from '@jig/bean-inspection';
const beans = beanInspection({ prices: { apple: 3 } }, { onReady() {}, onError() {} });
const server = createServer((request, response) => void beans(request, response)).listen(0, '127.0.0.1', async () => {
  const url = 'http://127.0.0.1:' + server.address().port + '/jig/bean';
  const page = await fetch(url, { headers: { accept: 'text/html' } });
  const [style] = (await page.text()).match(/\\/jig\\/browser\\/style-\\w+\\.css/);
  const sheet = await fetch(new URL(style, url));
  console.log(await (await fetch(url + '/prices.json')).text(), page.status, sheet.status, (await sheet.text()).length);
  process.exit();
});
`;

it.each([
  ['esm', 'mjs'],
  ['cjs', 'cjs'],
] as const)('an application bundled as %s shows documents and pages', async (format, extension) => {
  const folder = mkdtempSync(join(tmpdir(), 'jig-bundled-'));
  try {
    const outfile = join(folder, `app.${extension}`);
    const stdin = { contents: bundled, resolveDir: dist };
    await build({ stdin, outfile, format, bundle: true, platform: 'node', logLevel: 'silent' });
    const { stdout } = await promisify(execFile)(process.execPath, [outfile]);
    expect(stdout).toMatch(/^\{"apple":3\} 200 200 \d{5}$/m);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
