import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { type BrowserFile, script, style } from './browser-files.js';

export interface BrowserAsset {
  readonly mediaType: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The names of the files, which hold their hashes. */
export const assetNames = { style: style.name, script: script.name } as const;

const encodings = {
  br: (brotli: Buffer): Buffer => brotli,
  gzip: (brotli: Buffer): Buffer => gzipSync(brotliDecompressSync(brotli), { level: 9 }),
  identity: (brotli: Buffer): Buffer => brotliDecompressSync(brotli),
};

export type AssetEncoding = keyof typeof encodings;

const bodies = new Map<string, Buffer>();

function bodyOf({ name, brotli }: BrowserFile, encoding: AssetEncoding): Buffer {
  const key = `${encoding} ${name}`;
  const body = bodies.get(key) ?? encodings[encoding](Buffer.from(brotli, 'base64'));
  bodies.set(key, body);
  return body;
}

/** A file of the bean browser in one of its encodings; undefined when there is none of that name. */
export function browserAsset(name: string, encoding: AssetEncoding = 'identity'): BrowserAsset | undefined {
  const file = [style, script].find((each) => each.name === name);
  if (file === undefined) return undefined;
  return {
    mediaType: `text/${file === style ? 'css' : 'javascript'}; charset=utf-8`,
    body: bodyOf(file, encoding),
    headers: {
      'cache-control': 'public, max-age=31536000, immutable, no-transform',
      vary: 'Accept-Encoding',
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    },
  };
}
