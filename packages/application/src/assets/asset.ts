import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type AssetEncoding = 'br' | 'gzip';

/** One way to send an asset. */
export interface Representation {
  readonly body: Buffer;
  readonly etag: string;
}

/** Best first. */
const assetEncodings: readonly AssetEncoding[] = ['br', 'gzip'];

const suffix = { br: '.br', gzip: '.gz' } as const;

// At run time, quality 5 takes a fortieth of the time of 11, which the build uses.
const compress = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 9 }),
};

/** A file that is sent as it is or compressed; each form is created on first use and kept. */
export class Asset {
  readonly url: string;
  readonly type: string;
  readonly #source: URL;
  readonly #pending = new Map<AssetEncoding | 'identity', Promise<Representation>>();
  readonly #sizes = new Map<string, number>();

  constructor(url: string, source: URL) {
    this.url = url;
    this.type = mediaType(source.pathname);
    this.#source = source;
  }

  /** The encodings worth offering. */
  get encodings(): readonly AssetEncoding[] {
    return isCompressible(this.type) ? assetEncodings : [];
  }

  /** The bytes of each form that is in memory. */
  get kept(): ReadonlyMap<string, number> {
    return this.#sizes;
  }

  representation(encoding: AssetEncoding | 'identity'): Promise<Representation> {
    const known = this.#pending.get(encoding);
    if (known !== undefined) return known;
    const made = this.#make(encoding);
    this.#pending.set(encoding, made);
    made.then(
      ({ body }) => this.#sizes.set(encoding, body.length),
      () => this.#pending.delete(encoding),
    );
    return made;
  }

  async #make(encoding: AssetEncoding | 'identity'): Promise<Representation> {
    if (encoding === 'identity') {
      const body = await readFile(this.#source);
      return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
    }
    const original = await this.representation('identity');
    const body = (await this.#compressedBeforehand(encoding)) ?? (await compress[encoding](original.body));
    return { body, etag: `${original.etag.slice(0, -1)}-${encoding}"` };
  }

  /** The compressed file beside the original, unless it was made from an older one. */
  async #compressedBeforehand(encoding: AssetEncoding): Promise<Buffer | undefined> {
    const file = new URL(this.#source.href + suffix[encoding]);
    try {
      const [original, compressed] = await Promise.all([stat(this.#source), stat(file)]);
      return compressed.mtimeMs >= original.mtimeMs ? await readFile(file) : undefined;
    } catch {
      return undefined;
    }
  }
}

const mediaTypes: ReadonlyMap<string, string> = new Map([
  ['css', 'text/css; charset=utf-8'],
  ['gif', 'image/gif'],
  ['html', 'text/html; charset=utf-8'],
  ['ico', 'image/x-icon'],
  ['jpg', 'image/jpeg'],
  ['js', 'text/javascript; charset=utf-8'],
  ['json', 'application/json'],
  ['map', 'application/json'],
  ['mjs', 'text/javascript; charset=utf-8'],
  ['png', 'image/png'],
  ['svg', 'image/svg+xml'],
  ['txt', 'text/plain; charset=utf-8'],
  ['webp', 'image/webp'],
  ['woff2', 'font/woff2'],
  ['xml', 'application/xml'],
]);

/** The type of a file by the end of its name; a generic type where the end is unknown, so that no browser guesses. */
function mediaType(file: string): string {
  return mediaTypes.get(file.slice(file.lastIndexOf('.') + 1).toLowerCase()) ?? 'application/octet-stream';
}

/** Whether compressing the type saves anything: pictures and fonts are compressed already. */
function isCompressible(type: string): boolean {
  return /^text\/|json$|xml$/.test(type);
}
