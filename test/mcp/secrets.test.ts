import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningMount } from '../frameworks/conformance/mount.ts';
import { nodeMount } from '../frameworks/mounts/node.ts';
import { agentBeans, agentOptions, planted, token } from './agent-beans.ts';
import { clients, type TestedClient } from './clients.ts';
import { sendOdd } from './odd-requests.ts';

let running: RunningMount;
let client: TestedClient;
let url: string;

beforeAll(async () => {
  running = await nodeMount.start(agentBeans(), { ...agentOptions, token });
  url = `${running.url}/jig/mcp`;
  client = await clients['SDK v2 with 2026-07-28'](url, { token });
});
afterAll(async () => {
  await client.close();
  await running.stop();
});

interface Found {
  readonly hits: readonly { readonly bean: string; readonly at: string; readonly in: string; readonly text: string }[];
}

const hitsFor = async (text: string) =>
  (JSON.parse((await client.call('find', { text })).texts[0] ?? '') as Found).hits;

describe('secrets and agents', () => {
  it('planted secrets are in no answer of any tool', async () => {
    const answers = [
      await client.call('list_beans'),
      await client.call('health'),
      ...(await Promise.all(
        ['json', 'xml'].flatMap((format) =>
          ['small', 'settings', 'quoted', 'pool'].map((name) => client.call('read_bean', { name, format })),
        ),
      )),
      ...(await Promise.all(
        ['a', 'planted', 'user', 'postgres', '******', 'password', 'apiKey', 'url', 'text'].map((text) =>
          client.call('find', { text }),
        ),
      )),
      await client.call('read_bean', { name: 'small', at: '/password' }),
      await client.call('read_bean', { name: 'settings', at: '/apiKey' }),
      await client.call('read_bean', { name: 'settings', at: '/url' }),
    ];
    const all = JSON.stringify(answers);
    expect(all).toContain('******');
    for (const secret of [...planted, token]) expect(all).not.toContain(secret);
  });

  it.each([
    ['by its key', 'planted-password', 'small/password'],
    ['by its key, in a name of several words', 'planted-api-key', 'settings/apiKey'],
    ['as the password of a URL', 'planted-in-url', 'settings/url'],
    ['as an option says', 'planted-option-secret', 'quoted/text'],
  ])('find cannot be used to guess a secret that is masked %s', async (_how, secret, place) => {
    const guesses = await Promise.all([1, 6, secret.length].map((length) => hitsFor(secret.slice(0, length))));
    const values = guesses.map((hits) => hits.filter((hit) => hit.in === 'value'));
    // One letter is in other texts of the same value too, such as the scheme of the URL: from the second guess on, nothing is.
    expect(values.slice(1)).toEqual([[], []]);
    const [first = []] = values;
    const around = first.filter(({ bean, at }) => `${bean}${at}` === place).map(({ text }) => text);
    for (const text of around) expect(secret).not.toContain(text);
  });

  it('a closed bean is neither listed, read nor found', async () => {
    expect((await client.call('list_beans', { name: 'closed' })).texts[0]).toContain('"total":0');
    const { texts, isError } = await client.call('read_bean', { name: 'closed' });
    expect([isError, texts[0]]).toEqual([true, expect.stringContaining('This bean is closed')]);
    expect((await hitsFor('db.example')).map(({ bean }) => bean)).toEqual(['settings', 'pool']);
  });

  it('without the token nothing is told', async () => {
    expect(await sendOdd(url, { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })).toEqual([401]);
    const wrong = clients['SDK v2 with its default'](url, { token: `${token}!` });
    await expect(wrong).rejects.toThrow();
  });
});
