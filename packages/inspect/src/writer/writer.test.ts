import { execFileSync } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyBean, anyKey } from '../../test-fixtures/any-bean.ts';
import { plainly, written } from '../../test-fixtures/both-ways.ts';
import { propertyRuns } from '../../test-fixtures/property-runs.ts';
import { inspect } from '../inspect.ts';

describe('the writer', () => {
  it('writes any bean as the plain walk does, whatever the options', () => {
    const flag = fc.boolean();
    const pointer = anyKey.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    const hidesSome = ({ key, path }: { key: string; path: string }) => (key.length + path.length) % 3 === 0;
    const anyOptions = fc.record({
      format: fc.constantFrom('json' as const, 'xml' as const),
      pretty: flag,
      namespaces: flag,
      stacks: flag,
      proxies: flag,
      from: fc.constantFrom(0, 0, 1, 3),
      depth: fc.constantFrom(1, 2, 64),
      limit: fc.constantFrom(1, 3, undefined),
      reveal: fc.option(fc.array(pointer), { nil: undefined }),
      mask: fc.constantFrom(undefined, hidesSome),
    });
    fc.assert(
      fc.property(anyBean, anyOptions, (bean, some) => {
        const options = { ...some, text: 64, secrets: ['anothe', 'nested'] };
        const value = [bean, { password: 1, bean }];
        const expected = plainly(value, options);
        for (let round = 0; round < 3; round++) expect(written(value, options)).toBe(expected);
      }),
      propertyRuns(300),
    );
  });

  it('fires no trap of a getter that comes late in a list of objects that look alike', () => {
    const fired: string[] = [];
    const getter = new Proxy(() => 1, { apply: () => void fired.push('apply') });
    const late = Object.defineProperty({ a: 1 }, 'b', { get: getter, enumerable: true });
    const list: unknown[] = [...Array.from({ length: 500 }, () => ({ a: 1, b: 2 })), late];
    Object.defineProperty(list, 501, { get: getter, enumerable: true });
    for (const format of ['json', 'xml'] as const) expect(written(list, { format })).toBe(plainly(list, { format }));
    expect(fired).toEqual([]);
  });

  it('keeps no long texts of which keys of maps are parts', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const used = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = used();
    for (let count = 0; count < 50; count++) {
      const text = Buffer.alloc(1_000_000, `a key of some length, ${count}, `).toString('latin1');
      const map = new Map([[text.slice(-50), 1]]);
      for (let round = 0; round < 3; round++) inspect(map).toString();
    }
    expect(used() - before).toBeLessThan(20_000_000);
  });

  it('makes no code from strings', () => {
    const script = `
      import { inspect } from ${JSON.stringify(import.meta.resolve('@jig/inspect'))};
      const list = Array.from({ length: 100 }, (_, id) => ({ id, get name() { return 'n' + id; } }));
      process.stdout.write(inspect(list).toString() === JSON.stringify(list) ? 'same' : 'different');`;
    const flags = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', script];
    expect(execFileSync(process.execPath, flags, { encoding: 'utf8' })).toBe('same');
  });
});
