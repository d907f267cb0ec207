import { legacy, modern, modernMeta, type OddRequest } from './odd-requests.ts';

/** Numbers that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const methods = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'server/discover',
  'initialize',
  'ping',
  'no/such',
  '__proto__',
  '',
];
const tools = ['list_beans', 'read_bean', 'find', 'health', 'nope', 'constructor'];
const versions = ['2026-07-28', '2025-11-25', '2025-06-18', '2099-01-01', '1999-01-01', '', 'x', '２０２６'];
const oddValues: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  1e308,
  '',
  ' ',
  '\u0000',
  '￿',
  '../..',
  '/a/b',
  '~2',
  [],
  {},
  [[]],
  { length: 1 },
  'x'.repeat(5000),
];

type Headers = NonNullable<OddRequest['headers']>;

/** Makes messages that are nearly right, and wrong in one or a few ways. */
export class MalformedMessages {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  next(): OddRequest & { readonly body: Buffer } {
    const base = this.#base();
    const message = this.#happens(0.8) ? this.#mutated(base.body, 0) : base.body;
    const headers = this.#happens(0.5) ? this.#mutatedHeaders(base.headers) : base.headers;
    return { headers, body: this.#mutatedBytes(message) };
  }

  #below = (end: number) => Math.floor(this.#random() * end);
  #happens = (chance: number) => this.#random() < chance;
  #one = <Value>(values: readonly Value[]): Value => values[this.#below(values.length)] as Value;

  #base(): Required<Omit<OddRequest, 'method'>> {
    const method = this.#one(methods);
    const params = {
      name: this.#one(tools),
      arguments: {
        name: this.#one(['small', 'closed', 'nope']),
        text: 'planted',
        at: this.#one(['', '/password', '/x']),
      },
      uri: this.#one(['jig://bean/small', 'jig://bean/closed', 'jig://bean/%', 'file:///etc/passwd']),
      protocolVersion: this.#one(versions),
    };
    return this.#happens(0.5) ? modern(method, params) : legacy(method, params);
  }

  /** The same value with some part removed, replaced, repeated, or put deep into others. */
  #mutated(value: unknown, depth: number): unknown {
    if (this.#happens(0.15)) return this.#one(oddValues);
    if (Array.isArray(value) || typeof value !== 'object' || value === null || depth > 4) return value;
    const entries = Object.entries(value).filter(() => !this.#happens(0.08));
    const changed = entries.map(([key, part]): [string, unknown] => [
      this.#happens(0.05) ? this.#one(['__proto__', 'constructor', 'id', 'jsonrpc', '']) : key,
      this.#happens(0.4) ? this.#mutated(part, depth + 1) : part,
    ]);
    if (this.#happens(0.05))
      changed.push(['_meta', this.#happens(0.5) ? modernMeta(this.#one(oddValues)) : this.#one(oddValues)]);
    if (this.#happens(0.04)) return [Object.fromEntries(changed), Object.fromEntries(changed)];
    return Object.fromEntries(changed);
  }

  #mutatedHeaders(headers: Headers): Headers {
    return {
      ...headers,
      ...(this.#happens(0.4) ? { 'mcp-protocol-version': this.#one([undefined, ...versions.slice(0, 6)]) } : {}),
      ...(this.#happens(0.3) ? { 'mcp-method': this.#one([undefined, 'tools/list', 'x', '=?base64?eA==?=']) } : {}),
      ...(this.#happens(0.3)
        ? { 'mcp-name': this.#one([undefined, 'find', '=?base64?%%?=', 'é', 'x'.repeat(4000)]) }
        : {}),
      ...(this.#happens(0.2)
        ? {
            'content-type': this.#one([
              'text/plain',
              'application/json;charset=x',
              'application/jsonx',
              '',
              'multipart/form-data',
            ]),
          }
        : {}),
      ...(this.#happens(0.1) ? { accept: this.#one(['', 'text/html', '*/*', 'application/xml']) } : {}),
    };
  }

  #mutatedBytes(message: unknown): Buffer {
    const text = JSON.stringify(message) ?? '';
    const roll = this.#random();
    if (roll < 0.85) return Buffer.from(text);
    if (roll < 0.9) return Buffer.from(text.slice(0, this.#below(text.length + 1)));
    if (roll < 0.93) {
      const bytes = Buffer.from(`${text} `);
      bytes[this.#below(bytes.length)] = this.#below(256);
      return bytes;
    }
    if (roll < 0.95) return Buffer.from(`${'['.repeat(20_000)}${text}`);
    if (roll < 0.97)
      return Buffer.from(
        `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
      );
    if (roll < 0.98) return Buffer.alloc(65_536 + this.#below(3000), 'x');
    if (roll < 0.99) return Buffer.from(`\ufeff${text}`);
    return Buffer.from(Array.from({ length: this.#below(200) }, () => this.#below(256)));
  }
}
