import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, it } from 'vitest';
import { testedBeans } from '../../../frameworks/conformance/beans.ts';
import { frameworks } from '../../../frameworks/frameworks.ts';
import { checkClient } from '../../../mcp/check-client.ts';
import { testedClient } from '../../../mcp/clients.ts';

const mounts = frameworks.flatMap((each) => each.mounts.map((mount) => [mount.name, mount] as const));

it.each(mounts)('the endpoint for agents %s lists, reads and finds beans for SDK 1', async (_name, mount) => {
  const beans = testedBeans();
  const running = await mount.start(beans, { deny: ['closed'] });
  try {
    const client = new Client({ name: 'jig-tests', version: '1.0.0' });
    const transport = new StreamableHTTPClientTransport(new URL(`${running.url}/jig/mcp`));
    await client.connect(transport as Parameters<Client['connect']>[0]);
    await checkClient(testedClient(client as never, () => transport.protocolVersion));
    expect(beans.created).toEqual([]);
  } finally {
    await running.stop();
  }
});
