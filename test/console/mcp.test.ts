import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clients, stdioClients, type TestedClient } from '../mcp/clients.ts';
import { jig, Programs, type StartedProgram } from './console-on-this-machine.ts';

const serverFor = ({ environment }: Programs) => ({
  command: process.execPath,
  args: [jig, 'mcp'],
  env: Object.fromEntries(Object.entries(environment).map(([name, value = '']) => [name, value])),
});

async function withClientOf(
  programs: Programs,
  name: keyof typeof stdioClients,
  use: (client: TestedClient) => Promise<void>,
): Promise<void> {
  const client = await stdioClients[name](serverFor(programs));
  try {
    await use(client);
  } finally {
    await client.close();
  }
}

const names = Object.keys(stdioClients) as (keyof typeof stdioClients)[];

interface Listed {
  readonly applications: readonly {
    readonly application: string;
    readonly instances: readonly { readonly instance: string; readonly label: string; readonly pid: number }[];
  }[];
}

describe('jig mcp', () => {
  it('without an application, answers with what to do', async () => {
    await using programs = await Programs.create();
    await withClientOf(programs, 'SDK v2 with its default', async (client) => {
      const sentence = /^No application of this user has Jig in it\. Start one/;
      expect((await client.call('list_applications')).texts[0]).toMatch(sentence);
      const { isError, texts } = await client.call('list_beans');
      expect({ isError, text: texts[0] }).toEqual({ isError: true, text: expect.stringMatching(sentence) });
    });
  });

  it('with one application, needs no name and finds it at once', async () => {
    await using programs = await Programs.create();
    await withClientOf(programs, 'SDK v2 with its default', async (client) => {
      const shop = await programs.start('express-app.mjs');
      const listed = JSON.parse((await client.call('list_applications')).texts[0] ?? '') as Listed;
      expect(listed.applications).toMatchObject([{ application: 'shop', instances: [{ pid: shop.pid }] }]);
      const { texts } = await client.call('read_bean', { name: 'basket' });
      expect(texts.join()).toContain('"items":["kettle"]');
      expect(texts.join()).toContain('"token":"******"');
    });
  });

  describe('with two applications and a cluster', () => {
    let programs: Programs;
    let team: StartedProgram;
    let shop: StartedProgram;
    beforeAll(async () => {
      programs = await Programs.create();
      [team, shop] = await Promise.all([
        programs.start('cluster-app.mjs'),
        programs.start('express-app.mjs'),
        programs.start('host-app.mjs'),
      ]);
    });
    afterAll(() => programs[Symbol.asyncDispose]());
    const withClient = (name: keyof typeof stdioClients, use: (client: TestedClient) => Promise<void>) =>
      withClientOf(programs, name, use);

    it.each(names)('%s lists them and reads the beans of each', (name) =>
      withClient(name, async (client) => {
        const own = await clients['SDK v2 with its default'](`${shop.line}/jig/mcp`);
        expect(await client.toolNames()).toEqual(['list_applications', ...(await own.toolNames())]);
        await own.close();
        const { applications } = JSON.parse((await client.call('list_applications')).texts[0] ?? '') as Listed;
        expect(applications.map(({ application }) => application).sort()).toEqual(['Orders', 'shop', 'team']);
        const prices = await client.call('read_bean', { application: 'shop', name: 'prices' });
        expect(prices).toMatchObject({ isError: false, texts: expect.arrayContaining(['{"kettle":25}']) });
        const orders = await client.call('read_bean', { application: 'Orders', name: 'orders' });
        expect(orders).toMatchObject({ isError: false, texts: ['{"open":3}'] });
      }),
    );

    it('asks for a name when several run, and lists them for an unknown one', () =>
      withClient('SDK v2 with its default', async (client) => {
        const none = await client.call('list_beans');
        expect(none.isError).toBe(true);
        expect(none.texts[0]).toMatch(/^Several applications run: name one as application, .*(shop|team|Orders) \(\//);
        const wrong = await client.call('list_beans', { application: 'shopp' });
        expect(wrong.texts[0]).toMatch(/^No application has that name\. There are: /);
        for (const each of ['shop', 'team', 'Orders']) expect(wrong.texts[0]).toContain(`${each} (/`);
      }));

    it('stays with one instance, names it, and switches to another by id, label or pid', () =>
      withClient('SDK v2 with its default', async (client) => {
        const { applications } = JSON.parse((await client.call('list_applications')).texts[0] ?? '') as Listed;
        const { instances } = applications.find(({ application }) => application === 'team') ?? { instances: [] };
        expect(instances.map(({ label }) => label).sort()).toEqual(['worker 1', 'worker 2']);
        expect(instances.every(({ pid }) => pid !== team.pid)).toBe(true);
        const read = async (instance?: string) =>
          (await client.call('read_bean', { application: 'team', name: 'worker', ...(instance && { instance }) }))
            .texts;
        const answerOf = ({ instance, label }: Listed['applications'][number]['instances'][number]) => [
          `{"id":${label.slice(-1)}}`,
          `instance: ${instance} (${label})`,
        ];
        expect(await read()).toEqual(instances[0] && answerOf(instances[0]));
        for (const each of instances)
          for (const name of [each.instance, each.label, String(each.pid)])
            expect(await read(name)).toEqual(answerOf(each));
        expect((await read('worker 9'))[0]).toMatch(/^No instance has that name\. There are: /);
      }));

    it('passes on the error of an application', () =>
      withClient('SDK v2 with its default', async (client) => {
        const unknown = await client.call('read_bean', { application: 'shop', name: 'wat' });
        expect(unknown).toMatchObject({ isError: true });
        const arguments_ = await client.call('read_bean', { application: 'shop', name: 'prices', depth: 0 });
        expect(arguments_).toMatchObject({ isError: true, texts: [expect.stringContaining('depth')] });
      }));
  });
});
