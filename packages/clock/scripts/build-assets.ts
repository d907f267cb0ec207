import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { installedLibrary } from '@jig/application';
import { buildSync } from 'esbuild';
import { compile } from 'sass';
import type { SearchData } from '../browser/search-texts.ts';
import { Locales } from '../src/locales/locales.ts';
import { Names } from '../src/names.ts';
import type { AssetManifest, BuiltAsset } from '../src/page/clock-assets.ts';
import { Tables } from '../src/tables/tables.ts';
import { Zones } from '../src/zones/zones.ts';

const target = fileURLToPath(new URL('../dist/assets/', import.meta.url));

/** Writes a file, the same compressed, and tells where it is. Its name holds its hash, since it may change while the library does not. */
function write(library: string, version: string, name: string, content: string): BuiltAsset {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8);
  const { name: stem, ext } = parse(name);
  const file = `${stem}-${hash}${ext}`;
  const path = join(target, file);
  writeFileSync(path, content);
  writeFileSync(`${path}.br`, brotliCompressSync(content));
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  return { library, version, file };
}

/** A script of a library, without the address of its source map, which is not published. */
function script(library: string, path: string): BuiltAsset {
  const { version, files } = installedLibrary(library, import.meta.url, { [path]: path });
  const content = readFileSync(files[path] as URL, 'utf8').replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '\n');
  return write(library, version, path, content);
}

function stylesheet(): BuiltAsset {
  const { version, files } = installedLibrary('bootstrap', import.meta.url, { folder: '..' });
  const { css } = compile(fileURLToPath(new URL('../styles/clock.scss', import.meta.url)), {
    style: 'compressed',
    loadPaths: [fileURLToPath(files.folder as URL)],
    quietDeps: true,
    // Bootstrap 5 is written for Sass's older module system.
    silenceDeprecations: ['import', 'global-builtin', 'color-functions', 'if-function'],
  });
  // As Bootstrap's own files begin; its licence asks for it.
  const banner = `/*! Bootstrap v${version} (https://getbootstrap.com/) | Copyright The Bootstrap Authors | MIT */\n`;
  return write('bootstrap', version, 'clock.css', banner + css);
}

const browserFolder = fileURLToPath(new URL('../browser/', import.meta.url));

/** A script of our own, with what it imports, minified. */
function browserScript(entry: string, format: 'iife' | 'esm'): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(browserFolder, entry)],
    bundle: true,
    write: false,
    minify: true,
    format,
    target: ['es2020'],
    logLevel: 'error',
  });
  return (outputFiles[0]?.text ?? '').trim();
}

/** What the lists are searched by and the options do not say. */
async function searchData(tables: Tables): Promise<SearchData> {
  const locales = new Locales(tables, 'en-US');
  const zones = new Zones(tables, 'UTC');
  const ownNames = await new Names(tables, locales, zones).ownNames();
  return {
    locales: Object.fromEntries(locales.tags.map((tag, position) => [tag, ownNames[position] ?? ''])),
    zones: Object.fromEntries(tables.zones().map(({ id, raw, daylight }) => [id, [raw, daylight]])),
  };
}

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const tables = Tables.read();
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
writeFileSync(join(target, 'inline.js'), browserScript('clock.ts', 'iife'));
const manifest: AssetManifest = {
  stylesheet: stylesheet(),
  bootstrap: script('bootstrap', 'dist/js/bootstrap.bundle.min.js'),
  jquery: script('jquery', 'dist/jquery.slim.min.js'),
  search: write('clock', version, 'search.js', browserScript('search.ts', 'esm')),
  searchData: write('cldr', tables.madeFrom.cldr, 'search.json', JSON.stringify(await searchData(tables))),
};
writeFileSync(join(target, 'assets.json'), JSON.stringify(manifest));
