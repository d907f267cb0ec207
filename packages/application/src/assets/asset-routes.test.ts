import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Assets, assetRoutes } from './assets.ts';

const script = `"use strict";\n${'console.log("hello");\n'.repeat(200)}`;
const script1 = '/assets/greeter/1.2.3/greeter.min.js';
const yearLong = 'public, max-age=31536000, immutable';

let folder: string;
let server: FastifyInstance;
const assets = new Assets();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'jig-assets-'));
  const put = (name: string, content: string | Buffer): URL => {
    writeFileSync(join(folder, name), content);
    return pathToFileURL(join(folder, name));
  };
  put('secret.txt', 'secret');
  const picture = put('dot.png', Buffer.from([0x89, 0x50, 0x4e, 0x47]));
  const built = put('built.css', 'a{}');
  put('built.css.br', 'made beforehand');
  const stale = put('stale.css', 'b{}');
  put('stale.css.br', 'made from another file');
  utimesSync(join(folder, 'stale.css.br'), 1, 1);
  assets.publish({
    library: 'greeter',
    version: '1.2.3',
    files: {
      'greeter.min.js': put('greeter.js', script),
      'images/dot.png': picture,
      'built.css': built,
      'stale.css': stale,
    },
  });
  server = fastify({ logger: false });
  await server.register(assetRoutes(assets));
  await server.listen({ host: '127.0.0.1', port: 0 });
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

/** Sends the path byte for byte, which `fetch` would tidy up. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const { port } = server.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers, method }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

describe('a published asset', () => {
  it('has an address with the version of its library', () => {
    expect(assets.url('greeter', 'greeter.min.js')).toBe(script1);
  });

  it('is sent as it is, with its type, to be kept for good', async () => {
    const { status, headers, body } = await ask(`${script1}?again`);
    expect(status).toBe(200);
    expect(body.toString()).toBe(script);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': String(script.length),
      'cache-control': yearLong,
      vary: 'accept-encoding',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
    });
    expect(headers).not.toHaveProperty('content-encoding');
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is sent as %s to those who take it', async (encoding, decompress) => {
    const { headers, body } = await ask(script1, { 'accept-encoding': encoding });
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['content-length']).toBe(String(body.length));
    expect(body.length).toBeLessThan(script.length / 4);
    expect(decompress(body).toString()).toBe(script);
  });

  it('has a tag of its own in each form', async () => {
    const answers = await Promise.all(
      ['identity', 'br', 'gzip'].map((each) => ask(script1, { 'accept-encoding': each })),
    );
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(3);
  });

  it('uses the file compressed beforehand, but not one older than the original', async () => {
    const built = await ask('/assets/greeter/1.2.3/built.css', { 'accept-encoding': 'br' });
    expect(built.body.toString()).toBe('made beforehand');
    const stale = await ask('/assets/greeter/1.2.3/stale.css', { 'accept-encoding': 'br' });
    expect(brotliDecompressSync(stale.body).toString()).toBe('b{}');
  });

  it('is not compressed again when it is compressed already', async () => {
    const { headers } = await ask('/assets/greeter/1.2.3/images/dot.png', { 'accept-encoding': 'br, gzip' });
    expect(headers['content-type']).toBe('image/png');
    expect(headers).not.toHaveProperty('content-encoding');
  });

  it.each(['tag', 'W/tag', '"other", tag', '*'])('is not sent again to one who names its tag: %s', async (pattern) => {
    const first = await ask(script1, { 'accept-encoding': 'gzip' });
    const etag = String(first.headers.etag);
    const { status, headers, body } = await ask(script1, {
      'accept-encoding': 'gzip',
      'if-none-match': pattern.replace('tag', etag),
    });
    expect(status).toBe(304);
    expect(body.length).toBe(0);
    expect(headers).toMatchObject({ etag, 'cache-control': yearLong, vary: 'accept-encoding' });
    expect(headers).not.toHaveProperty('content-type');
  });

  it('is sent to one who names the tag of another form', async () => {
    const { headers } = await ask(script1);
    const { status } = await ask(script1, { 'accept-encoding': 'br', 'if-none-match': String(headers.etag) });
    expect(status).toBe(200);
  });

  it('answers HEAD with the headers of GET', async () => {
    const get = await ask(script1, { 'accept-encoding': 'gzip' });
    const head = await ask(script1, { 'accept-encoding': 'gzip' }, 'HEAD');
    expect(head.status).toBe(200);
    expect(head.body.length).toBe(0);
    expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' });
  });

  it('is refused to one who takes no form of it', async () => {
    expect((await ask(script1, { 'accept-encoding': 'identity;q=0' })).status).toBe(406);
  });

  it('shows in memory only what was asked for', async () => {
    await ask(script1);
    const file = assets.libraries[0]?.files[0];
    expect(file).toMatchObject({ url: script1, type: 'text/javascript; charset=utf-8' });
    expect(file?.kept.get('identity')).toBe(script.length);
  });
});

describe('anything else below the path', () => {
  it.each([
    '/assets/',
    '/assets/greeter',
    '/assets/greeter/1.2.3/',
    '/assets/greeter/1.2.4/greeter.min.js',
    '/assets/greeter/1.2.3/secret.txt',
    '/assets/greeter/1.2.3/../1.2.3/greeter.min.js',
    '/assets/greeter/1.2.3/../secret.txt',
    '/assets/greeter/1.2.3/%2e%2e/secret.txt',
    '/assets/greeter/1.2.3/..%2fsecret.txt',
    '/assets/greeter/1.2.3/..%5csecret.txt',
    '/assets/greeter/1.2.3/%252e%252e%252fsecret.txt',
    '/assets/greeter/1.2.3/..\\secret.txt',
    '/assets/greeter/1.2.3/%c0%ae%c0%ae/secret.txt',
    '/assets//greeter/1.2.3/greeter.min.js',
    '/assets/greeter/1.2.3/greeter.min.js/',
    '/assets/greeter/1.2.3/greeter.min.js%00.txt',
    '/assets/greeter/1.2.3/built.css.br',
    '/assets/__proto__/constructor/toString',
    '/assets/../../../../etc/passwd',
    '/assets//etc/passwd',
    '/assets/file:///etc/passwd',
  ])('is not found: %s', async (path) => {
    const { status, body } = await ask(path);
    expect([400, 404]).toContain(status);
    expect(body.toString()).not.toMatch(/secret\b(?!\.txt)|root:/);
  });
});
