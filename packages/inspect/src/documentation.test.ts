import { readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { inspect } from './index.ts';

const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```js\n(.*?)```\n```text\n(.*?)```/gs)].map(([, code = '', output = '']) => ({
  code,
  output,
}));

describe('README.md', () => {
  it('has examples', () => {
    expect(examples.length).toBeGreaterThan(2);
  });

  it.each(examples)('shows the output of $code', async ({ code, output }) => {
    const lines: string[] = [];
    const log = (...values: unknown[]) => lines.push(`${values.join(' ')}\n`);
    const body = code.replace(/^import .*$/gm, '');
    const run = compileFunction(`return (async () => { ${body} })()`, ['inspect', 'console']) as (
      ...parameters: unknown[]
    ) => Promise<void>;
    await run(inspect, { log });
    expect(lines.join('')).toBe(output);
  });
});
