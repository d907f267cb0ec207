import { expect, it } from 'vitest';
import { inOwnProcess } from './in-own-process.ts';

const suite = { name: 'small', about: '', open: () => ({}) };
const context = { quick: false, folder: '' };

/** A module that exports a suite of that name with these cases. */
const moduleWith = (cases: string) =>
  new URL(`data:text/javascript,export const suite = { name: 'small', open: () => ({ cases: ${cases} }) };`);

const shown = `unit: 'ms', target: { shown: true }`;

it('takes samples of a suite in another process, until it is closed', async () => {
  const cases = `[{ name: 'one', ${shown}, rounds: 2, ours: { sample: () => process.pid }, reference: { sample: async () => 7 } }]`;
  const open = await inOwnProcess(suite, moduleWith(cases)).open(context);
  const [row] = open.cases ?? [];
  expect(row).toMatchObject({ name: 'one', unit: 'ms', target: { shown: true }, rounds: 2 });
  const pid = (await row?.ours.sample()) ?? 0;
  expect(pid).not.toBe(process.pid);
  expect(await row?.reference?.sample()).toBe(7);
  await open.close?.();
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

it('fails with the reason when a sample fails, and when the process ends', async () => {
  const failing = `{ name: 'failing', ${shown}, ours: { sample: () => { throw new Error('no such bean'); } } }`;
  const ending = `{ name: 'ending', ${shown}, ours: { sample: () => process.exit(3) } }`;
  const { cases = [] } = await inOwnProcess(suite, moduleWith(`[${failing}, ${ending}]`)).open(context);
  await expect(cases[0]?.ours.sample()).rejects.toThrow('no such bean');
  await expect(cases[1]?.ours.sample()).rejects.toThrow('The process of the suite ended with 3.');
});

it('fails when the module exports no suite of that name', async () => {
  const open = inOwnProcess({ ...suite, name: 'other' }, moduleWith('[]')).open(context);
  await expect(open).rejects.toThrow('exports no suite other');
});
