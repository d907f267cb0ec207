import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import type { AssetManifest } from '../src/browser/assets.ts';

const source = fileURLToPath(new URL('../browser/', import.meta.url));
const target = fileURLToPath(new URL('../dist/assets/', import.meta.url));

/** Writes a file of the bean browser, minified, and the same compressed. Its name holds its hash, so that it can be kept for ever. */
function build(name: 'style' | 'script', entry: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(source, entry)],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: ['es2022'],
    supported: { nesting: true },
    logLevel: 'error',
  });
  const content = (outputFiles[0]?.text ?? '').trim();
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8);
  const file = `${name}-${hash}.${name === 'style' ? 'css' : 'js'}`;
  const path = join(target, file);
  writeFileSync(path, content);
  writeFileSync(`${path}.br`, brotliCompressSync(content));
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  return file;
}

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const manifest: AssetManifest = { style: build('style', 'browser.css'), script: build('script', 'browser.ts') };
writeFileSync(join(target, 'assets.json'), JSON.stringify(manifest));
