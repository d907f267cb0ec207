import { describe, expect, it } from 'vitest';
import { McpServer, ToolError } from './mcp-server.ts';

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
});

const call = { context: 'here', signal: new AbortController().signal };
const meta = (version: unknown = '2026-07-28') => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
});

/** A request of 2026-07-28. */
const ask = (method: string, params: Record<string, unknown> = {}) =>
  server.answer(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: meta() } }), call);

/** A request of an earlier revision. */
const askLegacy = (method: string, params?: unknown) =>
  server.answer(JSON.stringify({ jsonrpc: '2.0', id: 'x', method, params }), call);

const errorOf = ({ status, body }: { status: number; body?: object }) => {
  const { error } = body as { error?: { code: number } };
  return [status, error?.code];
};

describe('McpServer, for a request of 2026-07-28', () => {
  it('returns its version, features and instructions on server/discover', async () => {
    expect(await ask('server/discover')).toEqual({
      status: 200,
      body: {
        jsonrpc: '2.0',
        id: 7,
        result: {
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
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
  });

  it.each([
    [{}, 'The argument text is needed.'],
    [{ text: '' }, 'The argument text must be a text of 1 to 5 characters.'],
    [{ text: 'hi', times: 4 }, 'The argument times must be a whole number from 1 to 3.'],
    [{ text: 'hi', tone: 'loud' }, 'The argument tone must be one of low, high.'],
    [{ text: 'hi', other: 1 }, 'This tool takes only the arguments text, times, tone.'],
    [JSON.parse('{"text":"hi","__proto__":1}'), 'This tool takes only the arguments text, times, tone.'],
  ])('returns what is wrong with the arguments %j to the model', async (given, text) => {
    const { status, body } = await ask('tools/call', { name: 'echo', arguments: given });
    expect([status, body]).toMatchObject([200, { result: { content: [{ text }], isError: true } }]);
  });

  it('returns the message of a failing tool to the model, and writes unexpected errors only to the log', async () => {
    const failed = await ask('tools/call', { name: 'fail' });
    expect(failed.body).toMatchObject({ result: { content: [{ text: 'Try another one.' }], isError: true } });
    const broken = await ask('tools/call', { name: 'break' });
    expect(errorOf(broken)).toEqual([200, -32603]);
    expect(JSON.stringify(broken.body)).not.toContain('planted');
    expect(broken.cause).toEqual(new Error('planted-password'));
  });

  it.each([
    ['unknown methods', ask('no/such'), [404, -32601]],
    ['names of methods that objects have', ask('constructor'), [404, -32601]],
    ['unknown tools', ask('tools/call', { name: 'nope' }), [200, -32602]],
  ])('refuses %s', async (_what, answer, expected) => {
    expect(errorOf(await answer)).toEqual(expected);
  });

  it('says that arguments must be an object', async () => {
    const { body } = await ask('tools/call', { name: 'echo', arguments: [] });
    expect(body).toMatchObject({ error: { code: -32602, message: '`arguments` must be an object.' } });
  });

  it('names its versions to a client of another version', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta('2099-01-01') } };
    const answer = await server.answer(JSON.stringify(message), call);
    expect(errorOf(answer)).toEqual([400, -32022]);
    expect(answer.body).toMatchObject({ error: { data: { supported: ['2026-07-28'], requested: '2099-01-01' } } });
  });
});

describe('McpServer, for a request of an earlier revision', () => {
  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['1999-01-01', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
  ])('agrees with a client of %s on %s', async (asked, given) => {
    const { body } = await askLegacy('initialize', { protocolVersion: asked, capabilities: {} });
    expect(body).toMatchObject({
      id: 'x',
      result: { protocolVersion: given, serverInfo: { name: 'tested' }, instructions: 'Read this first.' },
    });
  });

  it('answers without the fields of 2026-07-28', async () => {
    expect(await askLegacy('ping')).toEqual({ status: 200, body: { jsonrpc: '2.0', id: 'x', result: {} } });
    expect((await askLegacy('tools/list')).body).not.toHaveProperty('result.resultType');
  });
});

describe('McpServer', () => {
  const post = (body: unknown) => server.answer(JSON.stringify(body), call);

  it.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['a notification of 2026-07-28', { jsonrpc: '2.0', method: 'a/b', params: { _meta: meta() } }],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }],
  ])('accepts %s without an answer', async (_what, body) => {
    expect(await post(body)).toEqual({ status: 202 });
  });

  it.each([[null], ['text'], [[]], [[{ jsonrpc: '2.0', id: 1, method: 'ping' }]], [{}], [{ jsonrpc: '1.0', id: 1 }]])(
    'refuses %j as malformed',
    async (body) => {
      const answer = await post(body);
      expect(errorOf(answer)).toEqual([400, -32600]);
      expect(answer.body).not.toHaveProperty('id');
    },
  );

  it('rejects a body that is not JSON', async () => {
    expect(errorOf(await server.answer('{', call))).toEqual([400, -32700]);
  });
});
