import * as v2 from '@modelcontextprotocol/client';
import { StdioClientTransport as V2Stdio } from '@modelcontextprotocol/client/stdio';

/** What the tests do with a client, whichever it is. */
export interface TestedClient {
  readonly version: () => string | undefined;
  readonly instructions: () => string | undefined;
  readonly toolNames: () => Promise<readonly string[]>;
  /** The texts of a result, and whether it is an error. */
  readonly call: (name: string, given?: Record<string, unknown>) => Promise<{ texts: string[]; isError: boolean }>;
  readonly close: () => Promise<void>;
}

export interface ClientOptions {
  readonly token?: string;
}

/** The official clients: the revision that each speaks, and how to connect one. */
export const clients = {
  'SDK v2 with 2026-07-28': (url: string, options?: ClientOptions) => connectV2(overHttp(url, options), 'auto'),
  'SDK v2 with its default': (url: string, options?: ClientOptions) => connectV2(overHttp(url, options), 'legacy'),
} as const;

/** A program that speaks the protocol over its standard input and output. */
export interface StdioServer {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

/** The same clients over standard input and output. */
export const stdioClients = {
  'SDK v2 with 2026-07-28': (server: StdioServer) => connectV2(new V2Stdio(server), 'auto'),
  'SDK v2 with its default': (server: StdioServer) => connectV2(new V2Stdio(server), 'legacy'),
} as const;

const info = { name: 'jig-tests', version: '1.0.0' };
const requestInit = ({ token }: ClientOptions = {}) =>
  token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } };

const textsOf = (result: Record<string, unknown>) =>
  (result.content as { text: string }[] | undefined)?.map(({ text }) => text) ?? [];

const overHttp = (url: string, options?: ClientOptions) =>
  new v2.StreamableHTTPClientTransport(new URL(url), requestInit(options));

async function connectV2(transport: v2.Transport, mode: 'auto' | 'legacy'): Promise<TestedClient> {
  const client = new v2.Client(info, mode === 'auto' ? { versionNegotiation: { mode } } : {});
  await client.connect(transport);
  return testedClient(client, () => client.getNegotiatedProtocolVersion());
}

export function testedClient(client: v2.Client, version: TestedClient['version']): TestedClient {
  return {
    version,
    instructions: () => client.getInstructions(),
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, given = {}) {
      const result = await client.callTool({ name, arguments: given });
      return { texts: textsOf(result), isError: result.isError === true };
    },
    close: () => client.close(),
  };
}
