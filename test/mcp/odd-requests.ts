import { request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface OddRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** A text as it is; anything else as JSON. */
  readonly body?: unknown;
}

/** The status of an answer, and the code of the error in it. */
export type OddAnswer = readonly [status: number, code?: number];

const versionKey = 'io.modelcontextprotocol/protocolVersion';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';

export const modernMeta = (version: unknown = '2026-07-28') => ({ [versionKey]: version, [capabilitiesKey]: {} });

/** A request of 2026-07-28, without a mistake in it. */
export function modern(method: string, params: Record<string, unknown> = {}): Required<Omit<OddRequest, 'method'>> {
  const name = params.name ?? params.uri;
  return {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: modernMeta() } },
  };
}

export const legacy = (method: string, params?: unknown) => ({
  headers: { 'mcp-protocol-version': '2025-11-25' },
  body: { jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) },
});

/** Sends one, with the headers that clients send unless it says otherwise. */
export async function sendOdd(url: string, { method = 'POST', headers, body }: OddRequest): Promise<OddAnswer> {
  const sent = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  };
  const known = Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const sentBody = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const { status, answer } = await send(url, { method, headers: Object.fromEntries(known) }, sentBody);
  // An event stream has the message in its data.
  const json = /^(?:event: message\n)?data: (.*)$/m.exec(answer)?.[1] ?? answer;
  const code = json.startsWith('{') ? (JSON.parse(json) as { error?: { code: number } }).error?.code : undefined;
  return code === undefined ? [status] : [status, code];
}

function send(url: string, options: { method: string; headers: Record<string, string> }, body: string | undefined) {
  return new Promise<{ status: number; answer: string }>((resolve, reject) => {
    const sent = request(url, options, (response) => {
      const { statusCode: status = 0 } = response;
      text(response).then((answer) => resolve({ status, answer }), reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
