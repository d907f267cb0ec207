import { stringifyChunked } from '@discoveryjs/json-ext';
import fastJsonStringify from 'fast-json-stringify';
import { configure } from 'safe-stable-stringify';
import type { Writers } from './peer.ts';
import { schemaOf } from './schema-of.ts';

const stableStringify = configure({ deterministic: false });

/** Others who write plain data as JSON, each in the way its makers mean for speed. */
export function jsonPeers(plain: unknown): Writers {
  const stringifyBySchema = fastJsonStringify(schemaOf(plain));
  return {
    'fast-json-stringify': () => Buffer.from(stringifyBySchema(plain)),
    'safe-stable-stringify': () => Buffer.from(stableStringify(plain) ?? ''),
    '@discoveryjs/json-ext': () => Buffer.concat([...stringifyChunked(plain)].map((chunk) => Buffer.from(chunk))),
  };
}
