import { expectation, type ValueSchema } from '../http/parameters.ts';
import type { Identity } from '../instances/identity.ts';

/** The revision without a handshake, in which every request is complete. */
export const modernVersion = '2026-07-28';

/** The revisions with a handshake, the newest first. No session state is kept, so requests are independent here too. */
export const legacyVersions: readonly string[] = ['2025-11-25', '2025-06-18'];

type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The arguments of a tool, as JSON Schema. */
export interface ToolSchema {
  readonly type: 'object';
  readonly properties?: Readonly<Record<string, ValueSchema & { readonly description?: string }>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
}

export interface ToolResult {
  readonly content: readonly JsonObject[];
  readonly isError?: boolean;
}

/** The context of a tool call. */
export interface ToolCall<Context> {
  readonly context: Context;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** The answering instance, if there are several. */
  readonly instance?: Identity | undefined;
}

export interface Tool<Context> {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: ToolSchema;
  readonly annotations?: Readonly<Record<string, boolean>>;
  /** A `ToolError` becomes a result that the model can read and act on. */
  readonly call: (given: JsonObject, call: ToolCall<Context>) => ToolResult | Promise<ToolResult>;
}

/** A mistake of the model; the message helps it to correct the call. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

export interface McpFeatures<Context> {
  readonly info: { readonly name: string; readonly title?: string; readonly version: string };
  readonly instructions: string;
  readonly tools: readonly Tool<Context>[];
}

/** The status of the response, and its body as JSON; a notification has none. */
export interface McpAnswer {
  readonly status: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** An error for the log that the client does not see. */
  readonly cause?: unknown;
}

export const sessionHeader = 'mcp-session-id';

const metaKey = (name: string) => `io.modelcontextprotocol/${name}`;

/** An error for the client, with a code of JSON-RPC 2.0. */
class RpcError extends Error {
  readonly code: number;
  readonly status: number;
  readonly data: object | undefined;

  constructor(code: number, message: string, status = 200, data?: object) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

const errorBody = ({ code, message, data }: RpcError, id?: unknown) => ({
  jsonrpc: '2.0',
  ...(id === undefined ? {} : { id }),
  error: { code, message, ...(data && { data }) },
});

/**
 * A stateless server of the Model Context Protocol, as far as tools need it. What a client sends both in headers and
 * in the message is not compared.
 */
export class McpServer<Context> {
  readonly #features: McpFeatures<Context>;

  constructor(features: McpFeatures<Context>) {
    this.#features = features;
  }

  /** The answer to the text of a message. Never rejects. */
  async answer(text: string, call: ToolCall<Context>): Promise<McpAnswer> {
    let id: unknown;
    try {
      const message = parse(text);
      const { method } = message;
      if (typeof message.id === 'string' || Number.isSafeInteger(message.id)) id = message.id;
      // Notifications, and responses to no request of ours.
      if (id === undefined || method === undefined) return { status: 202 };
      const params = isObject(message.params) ? message.params : {};
      const version = isObject(params._meta) ? params._meta[metaKey('protocolVersion')] : undefined;
      const isLegacy = version === undefined || legacyVersions.some((each) => each === version);
      if (!isLegacy && version !== modernVersion) {
        const data = { supported: [modernVersion], requested: version };
        throw new RpcError(-32_022, 'Unsupported protocol version', 400, data);
      }
      const result = await this.#run(method, params, call, isLegacy);
      // Clients that know sessions stay with this instance then; nothing else is kept of them.
      const { instance } = call;
      const headers = method === 'initialize' && instance !== undefined ? { [sessionHeader]: instance.id } : undefined;
      return { status: 200, body: { jsonrpc: '2.0', id, result: isLegacy ? result : this.#toModern(result) }, headers };
    } catch (error) {
      if (error instanceof RpcError) return { status: error.status, body: errorBody(error, id) };
      const reported = new RpcError(-32_603, 'Something went wrong on our side; it has been logged.');
      return { status: 200, body: errorBody(reported, id), cause: error };
    }
  }

  async #run(method: unknown, params: JsonObject, call: ToolCall<Context>, isLegacy: boolean): Promise<object> {
    const { info: serverInfo, instructions, tools } = this.#features;
    const capabilities = { tools: {} };
    switch (method) {
      case 'initialize': {
        const wanted = String(params.protocolVersion);
        const protocolVersion = legacyVersions.includes(wanted) ? wanted : legacyVersions[0];
        return { protocolVersion, capabilities, serverInfo, instructions };
      }
      case 'server/discover':
        return { supportedVersions: [modernVersion], capabilities, instructions };
      case 'ping':
        return {};
      case 'tools/list':
        return { tools: tools.map(({ call: _call, ...described }) => described) };
      case 'tools/call':
        return this.#callTool(params, call);
      default:
        throw new RpcError(-32_601, 'Method not found', isLegacy ? 200 : 404);
    }
  }

  /** Nothing may be cached: beans change all the time, and who may see them depends on the token. */
  #toModern(result: object): object {
    const meta = { [metaKey('serverInfo')]: this.#features.info };
    return { ...result, resultType: 'complete', ttlMs: 0, cacheScope: 'private', _meta: meta };
  }

  async #callTool({ name, arguments: given = {} }: JsonObject, call: ToolCall<Context>): Promise<ToolResult> {
    const tool = this.#features.tools.find((each) => each.name === name);
    if (tool === undefined) throw new RpcError(-32_602, 'There is no tool of that name; tools/list lists all.');
    if (!isObject(given)) throw new RpcError(-32_602, '`arguments` must be an object.');
    try {
      const problem = argumentProblem(given, tool.inputSchema);
      if (problem !== undefined) throw new ToolError(problem);
      return withInstance(await tool.call(given, call), call);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return withInstance({ content: [{ type: 'text', text: error.message }], isError: true }, call);
    }
  }
}

function parse(text: string): JsonObject {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new RpcError(-32_700, 'The body is not valid JSON.', 400);
  }
  if (isObject(message) && message.jsonrpc === '2.0') return message;
  throw new RpcError(-32_600, 'The body must be one JSON-RPC 2.0 request or notification.', 400);
}

/** Names the instance in the content, since a model sees nothing else. */
const withInstance = <Context>(result: ToolResult, { instance }: ToolCall<Context>): ToolResult =>
  instance === undefined
    ? result
    : {
        ...result,
        content: [...result.content, { type: 'text', text: `instance: ${instance.id} (${instance.label})` }],
      };

/** What is wrong with the arguments of a call, for the model that made it; undefined when nothing is. */
export function argumentProblem(given: Readonly<Record<string, unknown>>, schema: ToolSchema): string | undefined {
  const { properties = {}, required = [] } = schema;
  const missing = required.find((name) => given[name] === undefined);
  if (missing !== undefined) return `The argument ${missing} is needed.`;
  for (const name of Object.keys(given)) {
    const described = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (described === undefined) return `This tool takes only the arguments ${Object.keys(properties).join(', ')}.`;
    const expected = expectation(given[name], described);
    if (expected !== undefined) return `The argument ${name} must be ${expected}.`;
  }
  return undefined;
}
