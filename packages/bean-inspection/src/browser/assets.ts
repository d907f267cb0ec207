import { gunzipSync } from 'node:zlib';
import { preferredEncoding } from '@jig/http';
import { type Answer, wholeAnswer } from '../http/answer.ts';
import { notFound } from '../http/problem.ts';
import { script, style } from './browser-files.js';

/** The names of the files, which hold their hashes. */
export const assetNames = { style: style.name, script: script.name } as const;

/** A file of the pages, compressed if the client accepts that. */
export function assetAnswer(name: string, acceptEncoding: string | undefined): Answer {
  const file = [style, script].find((each) => each.name === name);
  if (file === undefined) throw notFound('there is no such file');
  const isGzip = preferredEncoding(acceptEncoding, ['gzip']) === 'gzip';
  const body = Buffer.from(file.gzip, 'base64');
  return wholeAnswer(isGzip ? body : gunzipSync(body), `text/${file === style ? 'css' : 'javascript'}; charset=utf-8`, {
    headers: {
      'cache-control': 'public, max-age=31536000, immutable, no-transform',
      vary: 'Accept-Encoding',
      ...(isGzip && { 'content-encoding': 'gzip' }),
    },
  });
}
