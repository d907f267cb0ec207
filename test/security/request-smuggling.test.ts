import { describe, expect, it } from 'vitest';
import { exchange } from '../support/exchange.ts';
import { useService } from '../support/in-process.ts';

const service = useService();

const post = 'POST /clock/time HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n';
const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n`;
/** What an attacker would have the server take for a request of its own. */
const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/** The statuses of all answers that came. */
async function statuses(bytes: string): Promise<number[]> {
  const { raw } = await exchange(service.url, bytes, { quietMilliseconds: 1500 });
  return [...raw.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

describe('an ambiguous request is refused and closes the connection', () => {
  it.each([
    ['length and chunks (CL.TE)', `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['chunks and length (TE.CL)', `${post}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n`],
    ['a coding that is almost chunked', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['a space before the colon', `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
    ['a vertical tab before the coding', `${post}Transfer-Encoding:\vchunked\r\n\r\n0\r\n\r\n`],
    ['a coding in quotes', `${post}Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n`],
    ['chunked, then identity', `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`],
    ['chunked not last', `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['chunked twice', `${post}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`],
    ['a folded header', `${post}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n`],
    ['a header hidden in a fold', `${post}X: y\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a bare line feed between headers', `${post}X: y\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['bare line feeds everywhere', 'GET /health HTTP/1.1\nHost: a\n\n'],
    ['a bare carriage return', 'GET /health HTTP/1.1\r\nHost: a\rX: y\r\n\r\n'],
    ['a length with a sign', `${post}Content-Length: +3\r\n\r\na=b`],
    ['a negative length', `${post}Content-Length: -3\r\n\r\na=b`],
    ['a hexadecimal length', `${post}Content-Length: 0x3\r\n\r\na=b`],
    ['a length in two words', `${post}Content-Length: 3 3\r\n\r\na=b`],
    ['an empty length', `${post}Content-Length:\r\n\r\na=b`],
    ['a length beyond 64 bits', `${post}Content-Length: 18446744073709551619\r\n\r\na=b`],
    ['a list of lengths', `${post}Content-Length: 3, 3\r\n\r\na=b`],
    ['the same length twice', `${post}Content-Length: 3\r\nContent-Length: 3\r\n\r\na=b`],
    ['two lengths', `${post}Content-Length: 3\r\nContent-Length: 30\r\n\r\na=b`],
    ['a line feed in a chunk extension', `${chunked}3;a\nb\r\na=b\r\n0\r\n\r\n`],
    ['a chunk extension without end', `${chunked}3;${'x'.repeat(30_000)}\r\na=b\r\n0\r\n\r\n`],
    ['chunks that end in line feeds', `${chunked}3\na=b\n0\n\n`],
    ['a chunk size with 0x', `${chunked}0x3\r\na=b\r\n0\r\n\r\n`],
    ['a chunk size with a space after it', `${chunked}3 \r\na=b\r\n0\r\n\r\n`],
    ['a chunk size with a space before it', `${chunked} 3\r\na=b\r\n0\r\n\r\n`],
    ['a negative chunk size', `${chunked}-3\r\na=b\r\n0\r\n\r\n`],
    ['a chunk size beyond 64 bits', `${chunked}FFFFFFFFFFFFFFFFF\r\na=b\r\n0\r\n\r\n`],
    ['a chunk that is longer than it says', `${chunked}3\r\na=bX\r\n0\r\n\r\n`],
    ['a length among the trailers', `${chunked}3\r\na=b\r\n0\r\nContent-Length: 50\r\n\r\n`],
    ['chunks in HTTP/1.0', 'POST /clock/time HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['no host', 'GET /health HTTP/1.1\r\n\r\n'],
    ['a header without a name', 'GET /health HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n'],
    ['a null in a header', 'GET /health HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n'],
    ['a null in the address', 'GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['more after the version', 'GET /health HTTP/1.1 x\r\nHost: a\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('%s', async (_, bytes) => {
    expect(await statuses(bytes + smuggled)).toEqual([400]);
  });
});

describe('a request with a clear end', () => {
  it.each([
    ['in chunks', `${chunked}3\r\na=b\r\n0\r\n\r\n`],
    ['in chunks with an extension', `${chunked}3;name=value\r\na=b\r\n0\r\n\r\n`],
    ['with a trailer', `${chunked}3\r\na=b\r\n0\r\nX-Checksum: 1\r\n\r\n`],
    ['with its length', `${post}Content-Length: 3\r\n\r\na=b`],
    ['after empty lines', `\r\n\r\n${post}Content-Length: 3\r\n\r\na=b`],
  ])('is answered, as is the next one: %s', async (_, bytes) => {
    expect(await statuses(bytes + smuggled)).toEqual([302, 404]);
  });

  it.each([
    ['GET', 200, 'GET /health HTTP/1.1\r\nHost: a\r\n'],
    ['GET of a page', 200, 'GET /clock/time HTTP/1.1\r\nHost: a\r\n'],
    ['HEAD', 200, 'HEAD /health HTTP/1.1\r\nHost: a\r\n'],
    ['an address that is not there', 404, 'POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n'],
    ['a method that is not taken', 405, 'DELETE /health HTTP/1.1\r\nHost: a\r\n'],
    ['a form of another type', 415, 'POST /clock/time HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n'],
  ])('has its body read or discarded, never parsed as the next request: %s', async (_, status, head) => {
    expect(await statuses(`${head}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`)).toEqual([status]);
  });

  it('that is too large is refused before it is complete, and the connection is closed', async () => {
    expect(await statuses(`${post}Content-Length: 40000\r\n\r\n${smuggled}`)).toEqual([413]);
  });
});

const form = `${post}Content-Length: 19\r\n\r\nzoneID=Asia%2FTokyo`;

/** What the session of an answer holds by now. */
async function stored(setCookie: string | undefined): Promise<unknown> {
  const [cookie = ''] = setCookie?.split(';') ?? [];
  return (await fetch(`${service.url}/jig/bean/session.json`, { headers: { cookie } })).json();
}

describe('a form that is stored', () => {
  it('is answered when the client then closes its side', async () => {
    const { status, headers } = await exchange(service.url, form, { halfClose: true });
    expect(status).toBe(302);
    expect(await stored(headers.get('set-cookie'))).toMatchObject({ zoneID: 'Asia/Tokyo' });
  });
});

describe('Expect: 100-continue', () => {
  it('is answered with 100 for a form', async () => {
    const expecting = `${post}Expect: 100-continue\r\nContent-Length: 3\r\n\r\n`;
    expect(await statuses(expecting)).toEqual([100]);
    expect((await statuses(`${expecting}a=b`)).at(-1)).toBe(302);
  });
});

describe('a request to change the protocol', () => {
  it.each([
    ['h2c', 'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'],
    ['a web socket', 'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n'],
  ])('stays HTTP/1.1: %s', async (_, headers) => {
    expect(await statuses(`GET /health HTTP/1.1\r\nHost: a\r\n${headers}\r\n`)).toEqual([200]);
  });

  it('TRACE does not return the request', async () => {
    const trace = 'TRACE / HTTP/1.1\r\nHost: a\r\nX-Own: zz\r\nConnection: close\r\n\r\n';
    const { status, raw } = await exchange(service.url, trace);
    expect(status).toBe(405);
    expect(raw).not.toContain('zz');
  });
});
