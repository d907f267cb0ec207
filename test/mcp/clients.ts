import * as v2 from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** What the tests do with a client, whichever it is. */
export interface TestedClient {
  readonly version: () => string | undefined;
  readonly instructions: () => string | undefined;
  readonly toolNames: () => Promise<readonly string[]>;
  /** The texts of a result, and whether it is an error. */
  readonly call: (name: string, given?: Record<string, unknown>) => Promise<{ texts: string[]; isError: boolean }>;
  readonly resources: () => Promise<readonly { uri: string; name: string }[]>;
  readonly templates: () => Promise<readonly { uriTemplate: string }[]>;
  readonly read: (uri: string) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

export interface ClientOptions {
  readonly token?: string;
}

/** The official clients: the revision that each speaks, and how to connect one. */
export const clients = {
  'SDK v2 with 2026-07-28': (url: string, options?: ClientOptions) => connectV2(url, 'auto', options),
  'SDK v2 with its default': (url: string, options?: ClientOptions) => connectV2(url, 'legacy', options),
  'SDK v1': connectV1,
} as const;

const info = { name: 'jig-tests', version: '1.0.0' };
const requestInit = ({ token }: ClientOptions = {}) =>
  token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } };

const textsOf = (result: Record<string, unknown>) =>
  (result.content as { text: string }[] | undefined)?.map(({ text }) => text) ?? [];

async function connectV2(url: string, mode: 'auto' | 'legacy', options?: ClientOptions): Promise<TestedClient> {
  const client = new v2.Client(info, mode === 'auto' ? { versionNegotiation: { mode } } : {});
  await client.connect(new v2.StreamableHTTPClientTransport(new URL(url), requestInit(options)));
  return {
    version: () => client.getNegotiatedProtocolVersion(),
    instructions: () => client.getInstructions(),
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, given = {}) {
      const result = await client.callTool({ name, arguments: given });
      return { texts: textsOf(result), isError: result.isError === true };
    },
    resources: async () => (await client.listResources()).resources,
    templates: async () => (await client.listResourceTemplates()).resourceTemplates,
    read: async (uri) => (await client.readResource({ uri })).contents.map((each) => ('text' in each ? each.text : '')),
    close: () => client.close(),
  };
}

async function connectV1(url: string, options?: ClientOptions): Promise<TestedClient> {
  const client = new V1Client(info);
  const transport = new V1Transport(new URL(url), requestInit(options));
  await client.connect(transport);
  return {
    version: () => transport.protocolVersion,
    instructions: () => client.getInstructions(),
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, given = {}) {
      const result = await client.callTool({ name, arguments: given });
      return { texts: textsOf(result), isError: result.isError === true };
    },
    resources: async () => (await client.listResources()).resources,
    templates: async () => (await client.listResourceTemplates()).resourceTemplates,
    read: async (uri) => (await client.readResource({ uri })).contents.map((each) => ('text' in each ? each.text : '')),
    close: () => client.close(),
  };
}
