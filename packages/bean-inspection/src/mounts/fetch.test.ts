import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { beanInspection } from './fetch.ts';

const here = { remoteAddress: '127.0.0.1' };
const at = (path: string, init?: RequestInit) => new Request(`http://localhost:3000/jig${path}`, init);

/** A list whose entries count how many of them were read. */
function counted(length: number) {
  const counter = { reads: 0 };
  const text = 'x'.repeat(1000);
  const list = Array.from({ length }, () => ({
    get text() {
      counter.reads += 1;
      return text;
    },
  }));
  return { counter, list };
}

describe('the handler for fetch-style servers', () => {
  it.each([
    ['an address of this machine', { remoteAddress: '::1' }, {}, 200],
    ['no address', undefined, {}, 403],
    ['Connection: close, as proxies send it with HTTP/1.0', here, { connection: 'close' }, 403],
    ['Connection: close and a known version', { ...here, httpVersion: '1.1' }, { connection: 'close' }, 200],
    ['HTTP/1.0', { ...here, httpVersion: '1.0' }, {}, 403],
    ['a page of its own', here, { origin: 'http://localhost:3000' }, 200],
  ])('with %s answers as the access rules say', async (_what, peer, headers: Record<string, string>, status) => {
    const answer = await beanInspection({ small: {} })(at('/bean/small.json', { headers }), peer);
    expect(answer?.status).toBe(status);
  });

  it('answers 503 for a bean that is not created in time, and shows it once it is', async () => {
    let settle = (_bean: object) => {};
    const coming = new Promise((resolve) => {
      settle = resolve;
    });
    const source = {
      get late() {
        return coming;
      },
    };
    const beans = beanInspection(source, { onError: () => {} });
    const ask = () => beans(at('/bean/late.json'), here);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const asked = ask();
      await expect.poll(() => vi.getTimerCount(), { interval: 1, timeout: 20_000 }).toBe(1);
      vi.advanceTimersByTime(10_000);
      const answer = await asked;
      expect([answer?.status, await answer?.text()]).toEqual([
        503,
        expect.stringContaining('still not made after 10 seconds'),
      ]);
    } finally {
      vi.useRealTimers();
    }
    settle({ word: 'late' });
    expect((await ask())?.status).toBe(200);
  });

  it('answers 400 to a POST whose body breaks off or was read before', async () => {
    const beans = beanInspection({ small: {} });
    const post = (body: BodyInit) => {
      const headers = { 'content-type': 'application/json' };
      return at('/mcp', { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
    };
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('the client has left')) });
    expect((await beans(post(broken), here))?.status).toBe(400);
    const used = post('{}');
    await used.text();
    const answer = await beans(used, here);
    expect([answer?.status, await answer?.text()]).toEqual([400, expect.stringContaining('before body parsers')]);
  });

  it('writes a document as fast as it is read, and stops when the client disconnects', async () => {
    const { counter, list } = counted(20_000);
    const answer = await beanInspection({ list })(at('/bean/list.json'), here);
    const reader = answer?.body?.getReader();
    await reader?.read();
    await wait(50);
    const { reads } = counter;
    expect(reads).toBeLessThan(10_000);
    await reader?.cancel();
    await wait(50);
    expect(counter.reads).toBe(reads);
  });

  it('says in a header that a short document was cut; there are no trailers for a long one', async () => {
    const beans = beanInspection({ list: counted(2000).list });
    // On a busy machine, even a short one may take so long that it is sent before its end is known.
    const markOf = async () => (await beans(at('/bean/list.json?limit=1'), here))?.headers.get('jig-truncated');
    await expect.poll(markOf).toBe('true');
    const long = await beans(at('/bean/list.json?limit=1500'), here);
    expect(long?.headers.get('trailer')).toBeNull();
    expect(await long?.text()).toContain('"[500 more]"');
  });

  describe('for an event stream', () => {
    const accept = { accept: 'text/event-stream' };

    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
    afterEach(() => void vi.useRealTimers());

    async function start(signal?: AbortSignal) {
      let looks = 0;
      const bean = {
        get looks() {
          return ++looks;
        },
      };
      const beans = beanInspection({ bean });
      const request = at('/bean/bean.json', { headers: accept, ...(signal === undefined ? {} : { signal }) });
      const answer = await beans(request, here);
      expect(answer?.headers.get('content-type')).toBe('text/event-stream');
      const reader = answer?.body?.getReader();
      const read = async () => Buffer.from((await reader?.read())?.value ?? []).toString();
      expect(await read()).toMatch(/^retry: \d+\n\n$/);
      return { beans, reader, read, looks: () => looks };
    }

    it('sends a slow reader the newest state, without those in between', async () => {
      const { read, looks } = await start();
      await vi.advanceTimersByTimeAsync(5500);
      // Nothing is looked at while nobody reads.
      expect([Number(/\d+/.exec(await read())), looks()]).toEqual([1, 1]);
      const coming = read();
      await vi.advanceTimersByTimeAsync(1000);
      expect([Number(/\d+/.exec(await coming)), looks()]).toEqual([2, 2]);
    });

    it('starts no stream in a mount that was closed before or during its first request', async () => {
      const [before, meanwhile] = [beanInspection({ bean: {} }), beanInspection({ bean: {} })];
      before.close();
      const coming = meanwhile(at('/bean/bean.json', { headers: accept }), here);
      meanwhile.close();
      const answers = [await before(at('/bean/bean.json', { headers: accept }), here), await coming];
      expect(answers.map((answer) => answer?.status)).toEqual([503, 503]);
      expect((await before(at('/bean/bean.json'), here))?.status).toBe(200);
    });

    it('stops reading when its client disconnects, and ends when the application closes', async () => {
      const abort = new AbortController();
      const [left, aborted, closed, other] = [await start(), await start(abort.signal), await start(), await start()];
      await left.reader?.cancel();
      abort.abort();
      closed.beans.close();
      expect([await closed.read(), (await closed.reader?.read())?.done]).toEqual(['data: {"looks":1}\n\n', true]);
      await vi.advanceTimersByTimeAsync(5500);
      expect([left, aborted, closed].map(({ looks }) => looks())).toEqual([1, 1, 1]);
      await other.read();
      const coming = other.read();
      await vi.advanceTimersByTimeAsync(1000);
      expect([await coming, other.looks()]).toEqual(['data: {"looks":2}\n\n', 2]);
    });
  });
});
