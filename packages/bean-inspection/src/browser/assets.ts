import { readFileSync } from 'node:fs';
import { BeanProblem } from '../http/problem.ts';
import { packageFolder } from '../package-folder.ts';

/** The output of `scripts/build-assets.ts`: the names of the files, which hold their hashes. */
export interface AssetManifest {
  readonly style: string;
  readonly script: string;
}

export interface BrowserAsset {
  readonly mediaType: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const mediaTypes = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const;
const extensions = { br: '.br', gzip: '.gz', identity: '' } as const;

export type AssetEncoding = keyof typeof extensions;

let manifest: AssetManifest | undefined;
const bodies = new Map<string, Buffer>();

function read(file: string): Buffer {
  try {
    return readFileSync(new URL(`dist/assets/${file}`, packageFolder()));
  } catch (cause) {
    const detail = 'The pages have files, which a bundler left behind: keep @jig/bean-inspection out of the bundle.';
    throw new BeanProblem(503, detail, { form: 'html', cause });
  }
}

export function assetManifest(): AssetManifest {
  manifest ??= JSON.parse(read('assets.json').toString()) as AssetManifest;
  return manifest;
}

/** A file of the bean browser in one of its encodings; undefined when there is none of that name. */
export function browserAsset(name: string, encoding: AssetEncoding = 'identity'): BrowserAsset | undefined {
  const { style, script } = assetManifest();
  if (name !== style && name !== script) return undefined;
  const file = name + extensions[encoding];
  const body = bodies.get(file) ?? read(file);
  bodies.set(file, body);
  return {
    mediaType: mediaTypes[name === style ? 'css' : 'js'],
    body,
    headers: {
      'cache-control': 'public, max-age=31536000, immutable, no-transform',
      vary: 'Accept-Encoding',
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    },
  };
}
