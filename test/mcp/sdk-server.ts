import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createMcpHandler, fromJsonSchema, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { listen } from '../frameworks/mounts/listen.ts';

const schema = fromJsonSchema<{ name: string }>({
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: { name: { type: 'string' } },
});

/** The tools of ours that the odd requests need, on the server of the official SDK. */
function createReference(): McpServer {
  const server = new McpServer({ name: 'reference', version: '1.0.0' }, { instructions: 'The reference.' });
  server.registerTool('read_bean', { description: 'Reads a bean.', inputSchema: schema }, async ({ name }) => ({
    content: [{ type: 'text', text: name }],
  }));
  server.registerResource('small', 'jig://bean/small', { mimeType: 'application/json' }, async (uri) => ({
    contents: [{ uri: uri.href, text: '{}' }],
  }));
  server.registerResource('bean', new ResourceTemplate('jig://part/{name}', { list: undefined }), {}, async (uri) => ({
    contents: [{ uri: uri.href, text: '{}' }],
  }));
  return server;
}

/** The official SDK's server, at any address. */
export function startReference() {
  const handler = createMcpHandler(createReference);
  return listen(createServer((request, response) => void respond(handler.fetch, request, response)));
}

async function respond(
  fetchHandler: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  const { method = '', url = '' } = incoming;
  const body = method === 'GET' || method === 'HEAD' ? null : Buffer.concat(chunks);
  const answer = await fetchHandler(new Request(`http://localhost${url}`, { method, headers, body }));
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
  outgoing.end(Buffer.from(await answer.arrayBuffer()));
}
