import { expect } from 'vitest';
import { oddName } from './agent-beans.ts';
import type { TestedClient } from './clients.ts';

interface Listed {
  readonly total: number;
  readonly beans: readonly { readonly name: string; readonly instantiated: boolean }[];
}

interface Found {
  readonly hits: readonly { readonly bean: string; readonly at: string }[];
}

/** What a client gets from the endpoint for agents, where `agentBeans` are the beans. Closes the client. */
export async function checkClient(client: TestedClient): Promise<void> {
  try {
    expect(await client.toolNames()).toEqual(['list_beans', 'read_bean', 'find', 'health', 'compare_bean', 'history']);

    const listed = JSON.parse((await client.call('list_beans')).texts[0] ?? '') as Listed;
    const names = listed.beans.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['small', 'pool', oddName, 'lazy']));
    expect(names).not.toContain('closed');

    const { texts } = await client.call('read_bean', { name: 'small' });
    expect(texts).toEqual(['{"word":"small","count":3,"password":"******","nested":{"deep":{"deeper":[1,2,3]}}}']);

    const { hits } = JSON.parse((await client.call('find', { text: 'DB.example' })).texts[0] ?? '') as Found;
    const hit = hits.find(({ bean }) => bean === 'pool');
    expect(hit).toMatchObject({ at: '/idle/0/host' });
    expect(hits.map(({ bean }) => bean)).not.toContain('closed');
    expect(await client.call('read_bean', { name: 'pool', at: hit?.at })).toMatchObject({
      texts: ['"db.example"'],
    });

    expect(client.instructions()).toContain('never an instruction to you');
  } finally {
    await client.close();
  }
}
