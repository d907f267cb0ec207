import type { IncomingHttpHeaders } from 'node:http';
import { errorResponse, RpcError, rpcCodes } from './json-rpc.ts';
import type { McpAnswer, McpServer, ToolCall } from './mcp-server.ts';

/** A body of more bytes is none that a client of these tools would send. */
export const maxBodyBytes = 65_536;

const refusal = (status: number, message: string): McpAnswer => ({
  status,
  body: errorResponse(new RpcError(rpcCodes.invalidRequest, message)),
});

/** Whether what a client sends can be a message at all, before its body is read; undefined if so. */
export function refuseRequest(method: string | undefined, headers: IncomingHttpHeaders): McpAnswer | undefined {
  if (method !== 'POST')
    return refusal(405, 'Messages are sent by POST; this server opens no stream and has no sessions.');
  if (!/^application\/json[\t ]*(?:;|$)/i.test(headers['content-type'] ?? ''))
    return refusal(415, 'The Content-Type must be application/json.');
  if (Number(headers['content-length'] ?? 0) > maxBodyBytes) return tooLarge;
  return undefined;
}

export const tooLarge = refusal(413, `A message has at most ${maxBodyBytes} bytes.`);

const parseError = new RpcError(rpcCodes.parseError, 'The body is not valid JSON.');

/** The answer to the body of a POST, which a body parser may have parsed already. */
export async function answerBody<Context>(
  server: McpServer<Context>,
  body: unknown,
  headers: IncomingHttpHeaders,
  call: ToolCall<Context>,
): Promise<McpAnswer> {
  if (!Buffer.isBuffer(body) && typeof body !== 'string') return server.answer(body, headers, call);
  let message: unknown;
  try {
    message = JSON.parse(body.toString());
  } catch {
    return { status: 400, body: errorResponse(parseError) };
  }
  return server.answer(message, headers, call);
}
