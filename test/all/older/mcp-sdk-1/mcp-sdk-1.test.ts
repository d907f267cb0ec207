import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, it } from 'vitest';
import { testedBeans } from '../../../frameworks/conformance/beans.ts';
import { mounts } from '../../../frameworks/mounts/all.ts';
import { checkClient } from '../../../mcp/check-client.ts';
import { testedClient } from '../../../mcp/clients.ts';

it.each(mounts)('the endpoint for agents $name lists, reads and finds beans for SDK 1', async (mount) => {
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
