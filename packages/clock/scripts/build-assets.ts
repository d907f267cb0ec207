import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { compile } from 'sass';
import type { SearchData } from '../browser/search-texts.ts';
import type { PageAssets } from '../src/assets.ts';
import { Locales } from '../src/locales.ts';
import { Zones } from '../src/zones.ts';

const require = createRequire(import.meta.url);
const folderOf = (library: string) => require.resolve(library).replace(/(.*\/node_modules\/[^/]+\/).*/, '$1');
const versionOf = (library: string) =>
  (JSON.parse(readFileSync(`${folderOf(library)}package.json`, 'utf8')) as { version: string }).version;
const target = fileURLToPath(new URL('../dist/assets/', import.meta.url));

/** Writes a file, plain and compressed, with a hash of its content in its name, and returns its address. */
function write(library: string, version: string, name: string, content: string): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8);
  const { name: stem, ext } = parse(name);
  const file = `${stem}-${hash}${ext}`;
  const path = join(target, file);
  writeFileSync(path, content);
  writeFileSync(`${path}.br`, brotliCompressSync(content));
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  return `/assets/${library}/${version}/${file}`;
}

/** A script of a library, without the link to its source map, which is not published. */
function script(library: string, path: string): string {
  const content = readFileSync(folderOf(library) + path, 'utf8').replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '\n');
  return write(library, versionOf(library), path, content);
}

function stylesheet(): string {
  const version = versionOf('bootstrap');
  const { css } = compile(fileURLToPath(new URL('../styles/clock.scss', import.meta.url)), {
    style: 'compressed',
    loadPaths: [join(folderOf('bootstrap'), '..')],
    quietDeps: true,
    // Bootstrap 5 is written for Sass's older module system.
    silenceDeprecations: ['import', 'global-builtin', 'color-functions', 'if-function'],
  });
  // Required by Bootstrap's licence.
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

/** Search data that the options do not contain. */
function searchData(): SearchData {
  const ownName = (tag: string) =>
    new Intl.DisplayNames(tag, { type: 'language', languageDisplay: 'standard' }).of(tag) ?? '';
  const minutes = (milliseconds: number) => milliseconds / 60_000;
  return {
    locales: Object.fromEntries(new Locales('en-US').tags.map((tag) => [tag, ownName(tag)])),
    zones: Object.fromEntries(
      new Zones('UTC').all.map(({ id, rawOffset, daylightSavings }) => [
        id,
        [minutes(rawOffset), minutes(daylightSavings)],
      ]),
    ),
  };
}

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
writeFileSync(join(target, 'inline.js'), browserScript('clock.ts', 'iife'));
const assets: PageAssets = {
  stylesheet: stylesheet(),
  bootstrap: script('bootstrap', 'dist/js/bootstrap.bundle.min.js'),
  jquery: script('jquery', 'dist/jquery.slim.min.js'),
  search: write('clock', version, 'search.js', browserScript('search.ts', 'esm')),
  searchData: write('clock', version, 'search.json', JSON.stringify(searchData())),
};
writeFileSync(join(target, 'assets.json'), JSON.stringify(assets));
