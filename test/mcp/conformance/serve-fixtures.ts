// A server with the fixtures of the conformance suite: node --import tsx test/mcp/conformance/serve-fixtures.ts [port]. It prints its address.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Access } from '../../../packages/bean-inspection/src/http/access.ts';
import { NodeRequest } from '../../../packages/bean-inspection/src/http/node-request.ts';
import { answerText } from '../../../packages/bean-inspection/src/mcp/endpoint.ts';
import { McpServer } from '../../../packages/bean-inspection/src/mcp/mcp-server.ts';
import { fixtureFeatures } from './fixture-features.ts';

const mcp = new McpServer(fixtureFeatures);
const access = new Access({ hosts: [], allow: [], deny: [] }, String);
const { signal } = new AbortController();

const server = createServer((request, response) => void respond(request, response));

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { headers, url = '' } = request;
  try {
    access.check(
      { raw: new NodeRequest(request), url, prefix: '', host: headers.host ?? '', context: undefined },
      'json',
    );
  } catch {
    response.writeHead(403).end();
    return;
  }
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const answer = await answerText(mcp, Buffer.concat(parts).toString(), headers, { context: undefined, signal });
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
}
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}`);
});
