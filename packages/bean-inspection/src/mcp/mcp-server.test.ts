import { describe, expect, it } from 'vitest';
import { RpcError } from './json-rpc.ts';
import { type McpHeaders, McpServer, ToolError } from './mcp-server.ts';

const server = new McpServer<string>({
  info: { name: 'tested', version: '1' },
  instructions: 'Read this first.',
  tools: [
    {
      name: 'echo',
      description: 'Says it again.',
      inputSchema: {
        type: 'object',
        additionalProperties: false,
        required: ['text'],
        properties: {
          text: { type: 'string', minLength: 1, maxLength: 5 },
          times: { type: 'integer', minimum: 1, maximum: 3 },
          tone: { type: 'string', enum: ['low', 'high'] },
        },
      },
      call: ({ text }, { context }) => ({ content: [{ type: 'text', text: `${String(text)} ${context}` }] }),
    },
    {
      name: 'fail',
      description: 'Fails.',
      inputSchema: { type: 'object', additionalProperties: false },
      call() {
        throw new ToolError('Try another one.');
      },
    },
    {
      name: 'break',
      description: 'Breaks.',
      inputSchema: { type: 'object', additionalProperties: false },
      call() {
        throw new Error('planted-password');
      },
    },
  ],
  resources: {
    list: (cursor) =>
      cursor === undefined || cursor === 'next' ? { resources: [{ uri: 'a:b', name: 'b' }] } : undefined,
    templates: [{ name: 'all', uriTemplate: 'a:{name}' }],
    read: (uri) => (uri === 'a:b' ? [{ uri, text: 'B' }] : undefined),
  },
});

const call = { context: 'here', signal: new AbortController().signal };
const meta = (version: unknown = '2026-07-28') => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
});

/** A request of 2026-07-28, as it should be. */
function ask(method: string, params: Record<string, unknown> = {}, headers: McpHeaders = {}) {
  const name = params.name ?? params.uri;
  return server.answer(
    { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: meta() } },
    {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...headers,
    },
    call,
  );
}

/** A request of an earlier revision. */
const askLegacy = (method: string, params?: unknown, version: string | undefined = '2025-11-25') =>
  server.answer({ jsonrpc: '2.0', id: 'x', method, params }, { 'mcp-protocol-version': version }, call);

const errorOf = ({ status, body }: { status: number; body?: object }) => {
  const { error } = body as { error?: { code: number } };
  return [status, error?.code];
};

describe('McpServer, for a request of 2026-07-28', () => {
  it('tells its version, features and instructions when it is discovered', async () => {
    expect(await ask('server/discover')).toEqual({
      status: 200,
      body: {
        jsonrpc: '2.0',
        id: 7,
        result: {
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {}, resources: {} },
          instructions: 'Read this first.',
          resultType: 'complete',
          ttlMs: 0,
          cacheScope: 'private',
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'tested', version: '1' } },
        },
      },
    });
  });

  it('calls a tool with its arguments and its context', async () => {
    const { body } = await ask('tools/call', { name: 'echo', arguments: { text: 'hi', times: 2, tone: 'low' } });
    expect(body).toMatchObject({ id: 7, result: { content: [{ type: 'text', text: 'hi here' }] } });
    expect(body).not.toHaveProperty('result.ttlMs');
  });

  it.each([
    [{}, 'The argument text is needed.'],
    [{ text: '' }, 'The argument text must be a text of 1 to 5 characters.'],
    [{ text: 5 }, 'The argument text must be a text of 1 to 5 characters.'],
    [{ text: 'hi', times: 4 }, 'The argument times must be a whole number from 1 to 3.'],
    [{ text: 'hi', times: 1.5 }, 'The argument times must be a whole number from 1 to 3.'],
    [{ text: 'hi', tone: 'loud' }, 'The argument tone must be one of low, high.'],
    [{ text: 'hi', other: 1 }, 'This tool takes only the arguments text, times, tone.'],
    [JSON.parse('{"text":"hi","__proto__":1}'), 'This tool takes only the arguments text, times, tone.'],
  ])('tells the model what is wrong with the arguments %j', async (given, text) => {
    const { status, body } = await ask('tools/call', { name: 'echo', arguments: given });
    expect([status, body]).toMatchObject([200, { result: { content: [{ text }], isError: true } }]);
  });

  it('gives the words of a tool that fails to the model, and those of an error only to the log', async () => {
    const failed = await ask('tools/call', { name: 'fail' });
    expect(failed.body).toMatchObject({ result: { content: [{ text: 'Try another one.' }], isError: true } });
    const broken = await ask('tools/call', { name: 'break' });
    expect(errorOf(broken)).toEqual([200, -32603]);
    expect(JSON.stringify(broken.body)).not.toContain('planted');
    expect(broken.cause).toEqual(new Error('planted-password'));
  });

  it('lists and reads resources', async () => {
    expect((await ask('resources/list', { cursor: 'next' })).body).toMatchObject({
      result: { resources: [{ uri: 'a:b' }] },
    });
    expect((await ask('resources/templates/list')).body).toMatchObject({
      result: { resourceTemplates: [{ name: 'all' }] },
    });
    expect((await ask('resources/read', { uri: 'a:b' })).body).toMatchObject({ result: { contents: [{ text: 'B' }] } });
  });

  it.each([
    ['unknown methods', ask('no/such'), [404, -32601]],
    ['the handshake of earlier revisions', ask('initialize', { protocolVersion: '2025-11-25' }), [404, -32601]],
    ['names of methods that objects have', ask('constructor'), [404, -32601]],
    ['unknown tools', ask('tools/call', { name: 'nope' }), [200, -32602]],
    ['arguments that are no object', ask('tools/call', { name: 'echo', arguments: [] }), [200, -32602]],
    ['unknown resources', ask('resources/read', { uri: 'a:c' }), [200, -32602]],
    ['a missing address of a resource', ask('resources/read'), [200, -32602]],
    ['unknown cursors', ask('resources/list', { cursor: '?' }), [200, -32602]],
    ['cursors of lists without any', ask('tools/list', { cursor: '1' }), [200, -32602]],
    ['a missing version header', ask('tools/list', {}, { 'mcp-protocol-version': undefined }), [400, -32020]],
    ['another version header', ask('tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }), [400, -32020]],
    ['a missing method header', ask('tools/list', {}, { 'mcp-method': undefined }), [400, -32020]],
    ['another method header', ask('tools/list', {}, { 'mcp-method': 'Tools/List' }), [400, -32020]],
    ['a missing name header', ask('tools/call', { name: 'echo' }, { 'mcp-name': undefined }), [400, -32020]],
    ['another name header', ask('resources/read', { uri: 'a:b' }, { 'mcp-name': 'a:c' }), [400, -32020]],
    [
      'malformed base64 in a name header',
      ask('tools/call', { name: 'echo' }, { 'mcp-name': '=?base64?%?=' }),
      [400, -32020],
    ],
  ])('refuses %s', async (_what, answer, expected) => {
    expect(errorOf(await answer)).toEqual(expected);
  });

  it('decodes a name header in base64', async () => {
    const name = `=?base64?${Buffer.from('a:b').toString('base64')}?=`;
    expect(errorOf(await ask('resources/read', { uri: 'a:b' }, { 'mcp-name': name }))).toEqual([200, undefined]);
  });

  it('names the versions it speaks to a client of another', async () => {
    const headers = { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' };
    const params = { _meta: meta('2099-01-01') };
    expect(await server.answer({ jsonrpc: '2.0', id: 1, method: 'tools/list', params }, headers, call)).toMatchObject({
      status: 400,
      body: { id: 1, error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } } },
    });
  });

  it.each([
    ['no _meta', undefined],
    ['a _meta without version', { 'io.modelcontextprotocol/clientCapabilities': {} }],
    ['a _meta without capabilities', { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }],
    ['a version that is no text', meta(1)],
  ])('refuses a request with %s', async (_what, _meta) => {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    const answer = await server.answer(
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } },
      headers,
      call,
    );
    expect(errorOf(answer)).toEqual([400, -32602]);
  });
});

describe('McpServer, for a request of an earlier revision', () => {
  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['1999-01-01', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
  ])('agrees with a client of %s on %s', async (asked, given) => {
    const { body } = await askLegacy('initialize', { protocolVersion: asked, capabilities: {} }, undefined);
    expect(body).toMatchObject({
      id: 'x',
      result: { protocolVersion: given, serverInfo: { name: 'tested' }, instructions: 'Read this first.' },
    });
  });

  it('answers without what only 2026-07-28 has', async () => {
    expect(await askLegacy('ping')).toEqual({ status: 200, body: { jsonrpc: '2.0', id: 'x', result: {} } });
    expect((await askLegacy('tools/list')).body).not.toHaveProperty('result.resultType');
  });

  it('takes a request without a version', async () => {
    expect(errorOf(await askLegacy('tools/list', {}, undefined))).toEqual([200, undefined]);
  });

  it.each([
    ['unknown methods', askLegacy('server/discover'), [200, -32601]],
    ['unknown versions', askLegacy('tools/list', {}, '1999-01-01'), [400, -32600]],
    ['unknown resources', askLegacy('resources/read', { uri: 'a:c' }), [200, -32002]],
    ['a handshake without a version', askLegacy('initialize', {}), [200, -32602]],
    [
      'a handshake with the header of 2026-07-28',
      askLegacy('initialize', { protocolVersion: '2025-11-25' }, '2026-07-28'),
      [400, -32020],
    ],
  ])('refuses %s', async (_what, answer, expected) => {
    expect(errorOf(await answer)).toEqual(expected);
  });
});

describe('McpServer', () => {
  const post = (body: unknown, headers: McpHeaders = {}) => server.answer(body, headers, call);

  it.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, {}],
    ['a notification of 2026-07-28', { jsonrpc: '2.0', method: 'a/b' }, { 'mcp-protocol-version': '2026-07-28' }],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, {}],
  ])('takes %s without an answer', async (_what, body, headers) => {
    expect(await post(body, headers)).toEqual({ status: 202 });
  });

  it.each([
    ['an unknown version', '2099-01-01', { method: 'a/b' }, -32022],
    ['another method in the header', '2026-07-28', { method: 'a/c' }, -32020],
    ['another version in the body', '2026-07-28', { method: 'a/b', params: { _meta: meta('2099-01-01') } }, -32020],
    ['a version that is no text', '2026-07-28', { method: 'a/b', params: { _meta: meta({}) } }, -32602],
  ])('refuses a notification with %s', async (_what, version, message, code) => {
    const answer = await post({ jsonrpc: '2.0', ...message }, { 'mcp-protocol-version': version, 'mcp-method': 'a/b' });
    expect(errorOf(answer)).toEqual([400, code]);
  });

  it.each([
    [null],
    ['text'],
    [[]],
    [[{ jsonrpc: '2.0', id: 1, method: 'ping' }]],
    [{}],
    [{ jsonrpc: '1.0', id: 1, method: 'ping' }],
    [{ jsonrpc: '2.0', id: null, method: 'ping' }],
    [{ jsonrpc: '2.0', id: 1.5, method: 'ping' }],
    [{ jsonrpc: '2.0', id: 1 }],
    [{ jsonrpc: '2.0', id: 1, method: 5 }],
    [{ jsonrpc: '2.0', id: 1, method: 'ping', params: [] }],
    [{ jsonrpc: '2.0', id: 1, method: 'ping', params: null }],
  ])('refuses %j as malformed', async (body) => {
    const answer = await post(body);
    expect(errorOf(answer)).toEqual([400, -32600]);
    expect(answer.body).not.toHaveProperty('id', null);
  });

  it('passes errors of the protocol from a tool on', async () => {
    const data = { requiredCapabilities: { sampling: {} } };
    const strict = new McpServer({
      info: { name: 'strict', version: '1' },
      instructions: '',
      tools: [
        {
          name: 'needs',
          description: 'Needs more.',
          inputSchema: { type: 'object' },
          call() {
            throw new RpcError(-32021, 'Missing', { status: 400, data });
          },
        },
      ],
      resources: { list: () => ({ resources: [] }), templates: [], read: () => undefined },
    });
    const params = { name: 'needs' };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    expect(await strict.answer(body, {}, { context: undefined, signal: call.signal })).toEqual({
      status: 400,
      body: { jsonrpc: '2.0', id: 1, error: { code: -32021, message: 'Missing', data } },
    });
  });
});
