import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Inspection, inspect } from './inspect.ts';

async function text(inspection: Inspection): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of inspection) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('code of a bean that takes long', () => {
  afterEach(() => void vi.restoreAllMocks());

  const many = <Item>(make: () => Item) => Array.from({ length: 2000 }, make);
  const getters = (get: () => number) =>
    Object.defineProperties(
      {},
      Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`g${index}`, { get, enumerable: true }])),
    ) as object;
  const ofClass = (work: () => number) =>
    class {
      get slow() {
        return work();
      }
    };

  const slowKinds = {
    'a getter': (work: () => number) => many(() => Object.defineProperty({}, 'slow', { get: work, enumerable: true })),
    'a getter of a class': (work: () => number) => many(() => new (ofClass(work))()),
    toJSON: (work: () => number) => many(() => ({ toJSON: work })),
    'many getters': getters,
    'many getters of a class': (work: () => number) => Object.create(getters(work)) as object,
    'an iterator': (work: () => number) => ({
      length: 2000,
      *[Symbol.iterator]() {
        for (let index = 0; index < 2000; index++) yield work();
      },
    }),
  };

  /** Items that take a millisecond each, by a clock that only they and `pass` move; and how many of them were read so far. */
  function slowItems(kind: keyof typeof slowKinds) {
    let now = 1;
    let read = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const work = () => {
      now += 1;
      read += 1;
      return read;
    };
    const pass = (milliseconds: number) => {
      now += milliseconds;
    };
    return { items: slowKinds[kind](work), read: () => read, pass };
  }

  const documents = (['json', 'xml'] as const).flatMap((format) =>
    (Object.keys(slowKinds) as (keyof typeof slowKinds)[]).map((kind) => ({ format, kind })),
  );

  it.each(documents)('ends a document when its budget is spent: $format, $kind', async ({ format, kind }) => {
    const { items, read } = slowItems(kind);
    const inspection = inspect({ items }, { format, budget: 100, pretty: kind === 'a getter' });
    for (const write of [() => text(inspection), () => inspection.toString()]) {
      const before = read();
      expect(await write()).toMatch(/\[1,\d+ more\]/);
      expect(read() - before).toBeGreaterThanOrEqual(100);
      expect(read() - before).toBeLessThan(150);
    }
    expect(inspection.truncated).toBe(true);
  });

  it.each(documents)('leaves the event loop free: $format, $kind', async ({ format, kind }) => {
    const { items, read } = slowItems(kind);
    let most = 0;
    let before = 0;
    const turn = () => {
      most = Math.max(most, read() - before);
      before = read();
      if (read() < 2000) setImmediate(turn);
    };
    setImmediate(turn);
    await text(inspect({ items }, { format }));
    expect(read()).toBe(2000);
    expect(most).toBeLessThan(10);
  });

  it('shares its budget with other work of the event loop', async () => {
    const { items, read, pass } = slowItems('many getters');
    let isDone = false;
    const turn = () => {
      pass(20);
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    expect(await text(inspect(items, { budget: 100 }))).toMatch(/\[1,\d+ more\]/);
    isDone = true;
    expect(read()).toBeLessThan(50);
  });
});

it.each([{ pretty: false }, { pretty: true }])(
  'a document of a big bean ends well-formed at its budget: %o',
  async (options) => {
    const list = Array.from({ length: 1_000_000 }, (_, index) => ({ index }));
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 0.01));
    const inspection = inspect({ before: 1, list, after: new Map() }, { budget: 1, ...options });
    const cut = JSON.parse(await text(inspection)) as { before: number; list: unknown[] };
    vi.restoreAllMocks();
    expect([cut.before, cut.list.length < 1_000_000, inspection.truncated]).toEqual([1, true, true]);
    expect(cut.list.at(-1)).toMatch(/^\[[\d,]+ more\]$/);
  },
);

describe('chunks', () => {
  it('are the whole document when joined', async () => {
    const bean = Array.from({ length: 20_000 }, (_, index) => ({ index, name: `number ${index}`, nested: [[index]] }));
    expect(await text(inspect(bean))).toBe(JSON.stringify(bean));
    expect(await text(inspect(bean, { format: 'xml' }))).toBe(inspect(bean, { format: 'xml' }).toString());
  });

  it('contain a property that hides a getter once, also when a chunk ends inside the object', async () => {
    class Slow {
      get id(): string {
        return expect.unreachable();
      }
      get last(): string {
        return 'last';
      }
    }
    const wait = () => {
      const end = performance.now() + 50;
      while (performance.now() < end);
      return 'slow';
    };
    const bean = Object.assign(new Slow(), { first: 1 });
    Object.defineProperty(bean, 'id', { value: 1, enumerable: true });
    for (const name of ['a', 'b', 'c']) Object.defineProperty(bean, name, { get: wait, enumerable: true });
    const document = '{"first":1,"id":1,"a":"slow","b":"slow","c":"slow","last":"last"}';
    expect(await text(inspect(bean))).toBe(document);
  });

  it('stay well-formed while the bean changes', async () => {
    const map = new Map<string, unknown>(
      Array.from({ length: 50_000 }, (_, index) => [`k${index}`, { index, list: [1, 2, 3] }]),
    );
    const list = Array.from({ length: 50_000 }, (_, index) => ({ index }));
    const object: Record<string, unknown> = Object.fromEntries(map);
    const chunks: Buffer[] = [];
    let round = 0;
    for await (const chunk of inspect({ map, list, object })) {
      chunks.push(chunk);
      for (let each = 0; each < 500; each++) {
        map.delete(`k${round * 700 + each}`);
        map.set(`new${round}-${each}`, { added: true });
        delete object[`k${49_999 - round * 500 - each}`];
      }
      list.length = Math.max(0, list.length - 1000);
      if (++round > 60) map.clear();
    }
    expect(Object.keys(JSON.parse(Buffer.concat(chunks).toString()) as object)).toEqual(['map', 'list', 'object']);
  });

  it('end at once when aborted, and close the open iterator', async () => {
    let isClosed = false;
    const endless = {
      length: 1e9,
      *[Symbol.iterator]() {
        try {
          for (;;) yield 'again and again';
        } finally {
          isClosed = true;
        }
      },
    };
    const abort = new AbortController();
    const reading = (async () => {
      for await (const chunk of inspect({ endless }).chunks({ signal: abort.signal }))
        expect(chunk.length).toBeGreaterThan(0);
    })();
    await wait(20);
    abort.abort();
    await expect(reading).rejects.toThrow('aborted');
    expect(isClosed).toBe(true);
  });

  it('can be abandoned at any time without affecting the next document', async () => {
    const bean = Array.from({ length: 50_000 }, (_, index) => ({ index }));
    for await (const chunk of inspect(bean)) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect(inspect(bean).toString()).toBe(JSON.stringify(bean));
  });
});

describe('wholeOrChunks', () => {
  const { signal } = new AbortController();
  const beans = {
    'of plain data': { text: 'grün ☃ 😀', list: [1, true, null] },
    'of nothing': {},
    'with a secret that stands elsewhere too': { password: 'tiny but secret', log: 'opened with tiny but secret' },
    'that is cut': { deep: { deeper: { deepest: 1 } } },
  };

  describe.each(Object.entries(beans))('%s', (_, bean) => {
    it.each([{}, { format: 'xml' as const }, { at: '' }, { from: 1 }, { pretty: true }, { glance: true }])(
      'is the same as a string: %j',
      async (asked) => {
        const options = { depth: 2, ...asked };
        const reference = inspect(bean, options);
        const whole = reference.toBytes();
        expect(whole.toString()).not.toContain('tiny but');
        const inspection = inspect(bean, options);
        const sent = inspection.wholeOrChunks(signal);
        // On a busy machine even this may take long.
        expect(typeof sent === 'string' ? sent : await text(inspection)).toBe(whole.toString());
        expect(inspection.truncated).toBe(reference.truncated);
      },
    );
  });

  it('is a string only when it is small', async () => {
    const long = Array.from({ length: 30_000 }, (_, index) => ({ index }));
    const chunks: Buffer[] = [];
    for await (const chunk of inspect(long).wholeOrChunks(signal) as AsyncGenerator<Buffer>) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe(JSON.stringify(long));
  });
});
