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

const withHeaders = (asked: OddRequest, headers: OddRequest['headers']) => ({
  ...asked,
  headers: { ...asked.headers, ...headers },
});
const withMeta = (_meta: unknown, version = '2026-07-28') => ({
  headers: { 'mcp-protocol-version': version, 'mcp-method': 'tools/list' },
  body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } },
});

const read = { name: 'read_bean', arguments: { name: 'small' } };
const handshake = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'odd', version: '1' } };

/** What clients should not send, or seldom do. */
export const oddRequests: Readonly<Record<string, OddRequest>> = {
  'another method in the header': withHeaders(modern('tools/list'), { 'mcp-method': 'tools/call' }),
  'the method in upper case in the header': withHeaders(modern('tools/list'), { 'mcp-method': 'TOOLS/LIST' }),
  'white space around the method in the header': withHeaders(modern('tools/list'), { 'mcp-method': ' tools/list ' }),
  'no method in the headers': withHeaders(modern('tools/list'), { 'mcp-method': undefined }),
  'another name in the header': withHeaders(modern('tools/call', read), { 'mcp-name': 'other' }),
  'no name in the headers': withHeaders(modern('tools/call', read), { 'mcp-name': undefined }),
  'the name in base64': withHeaders(modern('tools/call', read), { 'mcp-name': '=?base64?cmVhZF9iZWFu?=' }),
  'a name in malformed base64': withHeaders(modern('tools/call', read), { 'mcp-name': '=?base64?cmVhZF9iZWF!?=' }),
  'a tool without a name': modern('tools/call', {}),
  'no version in the headers': withHeaders(modern('tools/list'), { 'mcp-protocol-version': undefined }),
  'an earlier version in the header': withHeaders(modern('tools/list'), { 'mcp-protocol-version': '2025-11-25' }),
  'a later version': withHeaders(withMeta(modernMeta('2099-01-01')), { 'mcp-protocol-version': '2099-01-01' }),
  'an earlier version in _meta': withMeta(modernMeta('2025-11-25'), '2025-11-25'),
  'no _meta': withMeta(undefined),
  'no version in _meta': withMeta({ [capabilitiesKey]: {} }),
  'no capabilities in _meta': withMeta({ [versionKey]: '2026-07-28' }),
  'a version in _meta that is a number': withMeta(modernMeta(20260728)),
  'capabilities in _meta that are a list': withMeta({ ...modernMeta(), [capabilitiesKey]: [] }),
  'an unknown method': modern('no/such'),
  'a method that is in the prototype of objects': modern('constructor'),
  'ping, which 2026-07-28 has no more': modern('ping'),
  'initialize with the _meta of 2026-07-28': modern('initialize', handshake),
  'initialize with the header of 2026-07-28': withHeaders(legacy('initialize', handshake), {
    'mcp-protocol-version': '2026-07-28',
  }),
  'an unknown tool': modern('tools/call', { name: 'nope', arguments: {} }),
  'arguments of a wrong type': modern('tools/call', { name: 'read_bean', arguments: { name: 5 } }),
  'arguments that are a list': modern('tools/call', { name: 'read_bean', arguments: [] }),
  'an unknown resource': modern('resources/read', { uri: 'jig://bean/nope' }),
  'a resource of another scheme': modern('resources/read', { uri: 'file:///etc/passwd' }),
  'a resource without an address': modern('resources/read', {}),
  'a notification of 2026-07-28': { headers: modern('a/b').headers, body: { jsonrpc: '2.0', method: 'a/b' } },
  'a notification with another method in the header': {
    headers: modern('a/c').headers,
    body: { jsonrpc: '2.0', method: 'a/b' },
  },
  'an earlier handshake': { body: legacy('initialize', handshake).body },
  'an earlier handshake for an unknown version': {
    body: legacy('initialize', { ...handshake, protocolVersion: '1999-01-01' }).body,
  },
  'an earlier handshake without a version': { body: legacy('initialize', {}).body },
  'an earlier request without a version': { body: legacy('tools/list').body },
  'an earlier request for an unknown version': withHeaders(legacy('tools/list'), {
    'mcp-protocol-version': '1999-01-01',
  }),
  'an earlier request with a session': withHeaders(legacy('tools/list'), { 'mcp-session-id': 'none' }),
  'an earlier unknown method': legacy('no/such'),
  'an earlier unknown resource': legacy('resources/read', { uri: 'jig://bean/nope' }),
  'an earlier unknown tool': legacy('tools/call', { name: 'nope', arguments: {} }),
  'an earlier notification': { body: { jsonrpc: '2.0', method: 'notifications/initialized' } },
  'a response': { body: { jsonrpc: '2.0', id: 1, result: {} } },
  'a response that is an error': { body: { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } } },
  'a batch': { body: [legacy('ping').body] },
  'an empty batch': { body: [] },
  'a batch of 2026-07-28': { ...modern('tools/list'), body: [modern('tools/list').body] },
  'no method': { body: { jsonrpc: '2.0', id: 1 } },
  'another version of JSON-RPC': { body: { ...legacy('ping').body, jsonrpc: '1.0' } },
  'null as the identifier': { body: { ...legacy('ping').body, id: null } },
  'a fraction as the identifier': { body: { ...legacy('ping').body, id: 1.5 } },
  'parameters that are a list': { body: { ...legacy('ping').body, params: [] } },
  'a text': { body: '"ping"' },
  'no JSON': { body: '{' },
  'no body': { body: '' },
  'another type of body': { ...legacy('ping'), headers: { 'content-type': 'text/plain' } },
  'no type of body': { ...legacy('ping'), headers: { 'content-type': undefined } },
  'a type of body that begins like JSON': { ...legacy('ping'), headers: { 'content-type': 'application/jsonp' } },
  'a type of body with a character set': {
    ...legacy('ping'),
    headers: { 'content-type': 'Application/JSON; charset=utf-8' },
  },
  'JSON only as what is accepted': withHeaders(legacy('ping'), { accept: 'application/json' }),
  'JSON only as what is accepted, in 2026-07-28': withHeaders(modern('tools/list'), { accept: 'application/json' }),
  GET: { method: 'GET' },
  DELETE: { method: 'DELETE' },
  PUT: { ...legacy('ping'), method: 'PUT' },
};

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
