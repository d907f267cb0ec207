import { afterEach, expect, it, vi } from 'vitest';

interface Prepare {
  readonly run: (command: string, args: readonly string[], options: { readonly doing: string }) => Promise<void>;
}

const { run } = (await import(new URL('../../scripts/prepare.mjs', import.meta.url).href)) as Prepare;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('npm start prints a line every ten seconds while packages are installed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  const step = run(process.execPath, ['--eval', ''], { doing: 'Installing packages' });
  vi.advanceTimersByTime(25_000);
  await step;
  vi.advanceTimersByTime(25_000);
  expect(printed.mock.calls).toEqual([['  Installing packages: 10 s so far'], ['  Installing packages: 20 s so far']]);
});
