import { describe, expect, it } from 'vitest';
import { testedBeans } from './conformance/beans.ts';
import { mounts } from './mounts/all.ts';

describe.each(mounts)('an event stream $name', (mount) => {
  it.concurrent('ends when the application stops, which does not wait for its client', async () => {
    const { url, stop, finish = stop } = await mount.start(testedBeans(), {});
    const { body } = await fetch(`${url}/jig/bean/moving.json`, { headers: { accept: 'text/event-stream' } });
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    const stopped = finish();
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read())
      text += Buffer.from(part.value).toString();
    await stopped;
    expect(text).not.toContain('problem');
    await expect(fetch(`${url}/jig/bean`)).rejects.toThrow();
  });
});
