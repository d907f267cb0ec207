import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const entry = new URL('../../dist/index.js', import.meta.url).href;

describe('the classes of fetch', () => {
  it('are not loaded by looking at values, and are known once something else has loaded them', () => {
    const script = `
      const before = Reflect.ownKeys(globalThis).length;
      const { inspect, stateLine } = await import('${entry}');
      class Prices { list = new Map([['kettle', 25]]); get size() { return 1; } }
      const prices = new Prices();
      const text = inspect({ prices, list: [new URL('http://a/')] }).toString();
      stateLine(prices);
      const left = Reflect.ownKeys(globalThis).length - before;
      const headers = inspect(new Headers({ accept: 'text/html' })).toString();
      console.log(JSON.stringify([left, text.includes('kettle'), headers]));`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual([0, true, '{"accept":"text/html"}']);
  });
});
