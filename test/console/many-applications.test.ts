import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Programs } from './console-on-this-machine.ts';

interface Listed {
  readonly pid: number;
  readonly name: string;
  readonly instances: readonly { readonly label: string; readonly beans: readonly string[] }[];
}

it('two applications of Nest, one of our host, one with a thread and a cluster are in one list', async () => {
  await using programs = await Programs.create();
  const nest = (name: string) => {
    const cwd = fileURLToPath(new URL(`../../examples/${name}/`, import.meta.url));
    return programs.startProgram(`${cwd}dist/main.js`, { cwd, env: { PORT: '0' } });
  };
  const started = await Promise.all([
    nest('nest'),
    nest('nest-commonjs'),
    programs.start('host-app.mjs'),
    programs.start('threads-app.mjs'),
    programs.start('cluster-app.mjs'),
  ]);
  const list = async () => {
    const all = JSON.parse((await programs.run('list', '--json', '--beans')).stdout) as readonly Listed[];
    return started.map(({ pid }) => all.find((each) => each.pid === pid));
  };
  await expect.poll(async () => (await list()).flatMap((each) => each?.instances ?? []).length).toBe(5);
  const [one, other, host, threads, primary] = await list();
  expect([one?.name, other?.name, host?.name]).toEqual(['@jig-examples/nest', '@jig-examples/nest-commonjs', 'Orders']);
  for (const each of [one, other]) expect(each?.instances[0]?.beans).toContain('Orders');
  expect(host?.instances[0]?.beans).toContain('orders');
  expect(threads?.instances.map(({ label }) => label)).toEqual([`pid ${threads?.pid}`, 'thread 1']);
  expect(threads?.instances[1]?.beans).toContain('inThread');
  expect(primary?.instances).toEqual([]);
});
