import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { events } from '../http/answer.ts';
import { nodeRequest, sendAnswer } from '../mounts/node.ts';
import { LiveStreams, type LiveStreamsOptions, type LiveView } from './live-streams.ts';

const servers: Server[] = [];
const sockets: Socket[] = [];

const useFakeClock = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });

afterEach(async () => {
  vi.useRealTimers();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** A server that answers every request with a stream of the view that its path names. */
async function serve(views: Readonly<Record<string, LiveView<never>>>, options: LiveStreamsOptions = {}) {
  const streams = new LiveStreams({ shortestPauseMs: 10, ...options });
  const server = createServer((request, response) => {
    const view = views[(request.url ?? '').slice(1)] as LiveView<never>;
    streams.watch(view, nodeRequest(request)).then(
      (stream) => sendAnswer(response, events(stream)),
      ({ status }: { status: number }) => response.writeHead(status ?? 500).end(),
    );
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { streams, server, port, url: `http://127.0.0.1:${port}` };
}

/** The events of a stream, without its comments and the time to wait. */
async function* eventsOf(url: string, signal?: AbortSignal): AsyncGenerator<string> {
  const { body } = await fetch(url, signal === undefined ? {} : { signal });
  let text = '';
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    yield* parts.filter((part) => part !== ':' && !part.startsWith('retry:'));
  }
}

async function take(events: AsyncGenerator<string>, count: number): Promise<string[]> {
  const taken: string[] = [];
  while (taken.length < count) taken.push((await events.next()).value as string);
  return taken;
}

/** Counts its looks, and is different at each. */
function counter(key = 'counter') {
  const counted = { looks: 0 };
  const view: LiveView<number> = {
    key,
    read: () => ++counted.looks,
    data: (next, previous) => `${previous ?? 'none'} ${next}`,
  };
  return { counted, view: view as LiveView<never> };
}

describe('event streams', () => {
  it('leave no listener behind at each look, of which Node would warn', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    const { url } = await serve({ counter: counter().view }, { shortestPauseMs: 1 });
    await take(eventsOf(`${url}/counter`), 20);
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  it('make an event once for all clients that were sent the same', async () => {
    const { view } = counter();
    const data = vi.fn((next: never, previous: never) => view.data(next, previous));
    const { url } = await serve({ counter: { ...view, data } }, { shortestPauseMs: 100 });
    await Promise.all(Array.from({ length: 5 }, () => take(eventsOf(`${url}/counter`), 3)));
    const pairs = data.mock.calls.map((pair) => JSON.stringify(pair));
    expect(pairs).toEqual([...new Set(pairs)]);
  });

  it('continue for a client that waits for the first state when the last other one disconnects', async () => {
    let looks = 0;
    const held = new EventEmitter();
    const view: LiveView<number> = {
      key: 'slow',
      everyMs: 60_000,
      read: async () => {
        if (++looks === 2) await once(held, 'release');
        return looks;
      },
      data: (next) => `${next}`,
    };
    useFakeClock();
    const { url, streams } = await serve({ slow: view as LiveView<never> }, { shortestPauseMs: 200 });
    const first = new AbortController();
    await take(eventsOf(`${url}/slow`, first.signal), 1);
    await vi.advanceTimersByTimeAsync(300);
    first.abort();
    await expect.poll(() => streams.open).toBe(0);
    const second = eventsOf(`${url}/slow`);
    const event = second.next();
    await expect.poll(() => looks).toBe(2);
    await vi.advanceTimersByTimeAsync(500);
    held.emit('release');
    expect((await event).value).toBe('data: 2');
    expect(streams.open).toBe(1);
    streams.close();
    expect((await second.next()).done).toBe(true);
  });

  it('send only a comment now and then while nothing changes', async () => {
    let looks = 0;
    const view: LiveView<string> = {
      key: 'still',
      read: () => `still ${looks++ < 5}`,
      data: (next) => next,
    };
    const { url } = await serve({ still: view as LiveView<never> }, { heartbeatMs: 0 });
    const { body } = await fetch(`${url}/still`);
    let text = '';
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      if (text.includes('still false')) break;
    }
    expect(text.match(/data: .*/g)).toEqual(['data: still true', 'data: still false']);
    expect(text).toMatch(/^retry: \d+\n\n/);
    expect(text).toContain('\n:\n\n');
  });

  it('write every line of the data in its own field', async () => {
    const view: LiveView<string> = {
      key: 'lines',
      read: () => 'a\nb\r\nc',
      data: (next) => next,
    };
    const { url } = await serve({ lines: view as LiveView<never> });
    expect(await take(eventsOf(`${url}/lines`), 1)).toEqual(['data: a\ndata: b\ndata: c']);
  });

  it('share one read among all streams of the same address', async () => {
    useFakeClock();
    const { view, counted } = counter();
    const { url, streams } = await serve({ counter: view });
    const all = Array.from({ length: 20 }, () => eventsOf(`${url}/counter`));
    await Promise.all(all.map((events) => take(events, 1)));
    expect(streams.open).toBe(20);
    expect(counted.looks).toBe(1);
    for (const tick of [1, 2, 3]) {
      await vi.advanceTimersByTimeAsync(10);
      const received = await Promise.all(all.map((events) => take(events, 1)));
      expect(new Set(received.flat())).toEqual(new Set([`data: ${tick} ${tick + 1}`]));
    }
    expect(counted.looks).toBe(4);
  });

  it('end when their clients disconnect, and reading ends with the last one', async () => {
    useFakeClock();
    const { view, counted } = counter();
    const { url, streams } = await serve({ counter: view });
    const abort = new AbortController();
    const events = eventsOf(`${url}/counter`, abort.signal);
    await take(events, 1);
    await vi.advanceTimersByTimeAsync(10);
    await take(events, 1);
    expect(streams.open).toBe(1);
    abort.abort();
    await expect.poll(() => streams.open).toBe(0);
    await vi.advanceTimersByTimeAsync(100);
    expect(counted.looks).toBe(2);
  });

  it('end when a read fails', async () => {
    const view: LiveView<number> = {
      key: 'failing',
      read: () => {
        if (++looks === 3) throw new Error('it is gone');
        return looks;
      },
      data: String,
    };
    let looks = 0;
    const { url, streams } = await serve({ failing: view as LiveView<never> });
    const all: string[] = [];
    for await (const event of eventsOf(`${url}/failing`)) all.push(event);
    expect(all).toEqual(['data: 1', 'data: 2']);
    expect(streams.open).toBe(0);
    looks = 2;
    expect((await fetch(`${url}/failing`)).status).toBe(500);
  });

  it('are rejected with 503 when too many are open, and after close', async () => {
    const [one, other] = [counter('one'), counter('other')];
    const { url, streams } = await serve({ one: one.view, other: other.view }, { maxStreams: 2 });
    const all = [eventsOf(`${url}/one`), eventsOf(`${url}/other`)];
    await Promise.all(all.map((events) => take(events, 1)));
    expect((await fetch(`${url}/one`)).status).toBe(503);
    streams.close();
    await expect.poll(() => streams.open).toBe(0);
    expect((await fetch(`${url}/one`)).status).toBe(503);
  });
});
