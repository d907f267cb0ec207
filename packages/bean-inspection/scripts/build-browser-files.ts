import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import type { BrowserFile } from '../src/browser/browser-files.js';

const source = fileURLToPath(new URL('../browser/', import.meta.url));
const target = fileURLToPath(new URL('../src/browser/browser-files.js', import.meta.url));

/** A file of the bean browser, minified and compressed. Its name holds its hash, so that it can be kept for ever. */
function build(name: string, entry: string, extension: string): BrowserFile {
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
  return { name: `${name}-${hash}.${extension}`, gzip: gzipSync(content, { level: 9 }).toString('base64') };
}

const style = build('style', 'browser.css', 'css');
const script = build('script', 'browser.ts', 'js');
// A module, so that bundlers of applications take it along.
writeFileSync(
  target,
  `export const style = ${JSON.stringify(style)};\nexport const script = ${JSON.stringify(script)};\n`,
);
