import type { Identity } from '../instances/identity.ts';
import { echoableId, errorResponse, isObject, RpcError, rpcCodes, toMessage } from './json-rpc.ts';
import { argumentProblem, type ToolSchema } from './tool-arguments.ts';

/** The revision in which every request tells all, without a handshake. */
export const modernVersion = '2026-07-28';

/** The revisions with a handshake, the newest first. Nothing is kept of it, so each request stands for itself here too. */
export const legacyVersions: readonly string[] = ['2025-11-25', '2025-06-18'];

export interface ToolResult {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly isError?: boolean;
}

/** What a tool works with beside its arguments. */
export interface ToolCall<Context> {
  readonly context: Context;
  /** Aborts when the client has left. */
  readonly signal: AbortSignal;
  /** Why no tool can be called: the one that should is not there. */
  readonly refusal?: string | undefined;
  /** Who answers, where there are others that could. */
  readonly instance?: Identity | undefined;
}

export interface Tool<Context> {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: ToolSchema;
  readonly annotations?: Readonly<Record<string, boolean>>;
  /** A `ToolError` becomes a result that the model can read and act on. */
  readonly call: (
    given: Readonly<Record<string, unknown>>,
    call: ToolCall<Context>,
  ) => ToolResult | Promise<ToolResult>;
}

/** What a model did wrong, in words that help it to do better. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

export interface ResourcePage {
  readonly resources: readonly object[];
  readonly nextCursor?: string;
}

export interface Resources<Context> {
  /** Undefined for a cursor that was never given. */
  readonly list: (cursor: string | undefined, call: ToolCall<Context>) => ResourcePage | undefined;
  readonly templates: readonly object[];
  /** Undefined for an address without a resource. */
  readonly read: (
    uri: string,
    call: ToolCall<Context>,
  ) => readonly object[] | undefined | Promise<readonly object[] | undefined>;
}

export interface McpFeatures<Context> {
  readonly info: {
    readonly name: string;
    readonly title?: string;
    readonly version: string;
    readonly instance?: string;
  };
  readonly instructions: string;
  readonly tools: readonly Tool<Context>[];
  readonly resources: Resources<Context>;
}

/** The headers of a request, of which the protocol gives some a meaning. */
export type McpHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The status of the response, and its body as JSON; a notification has none. */
export interface McpAnswer {
  readonly status: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** An error that the client is not told, for the log. */
  readonly cause?: unknown;
}

export const sessionHeader = 'mcp-session-id';
const instanceKey = 'jig/instance';

const metaKey = (name: string) => `io.modelcontextprotocol/${name}`;
const versionKey = metaKey('protocolVersion');
const capabilitiesKey = metaKey('clientCapabilities');

type Params = Readonly<Record<string, unknown>>;
/** Made for one answer. */
type Result = object & { _meta?: object | undefined };
type Method<Context> = (params: Params, call: ToolCall<Context>) => Result | Promise<Result>;

/**
 * The Model Context Protocol on the side of the server, for messages that come one by one and know nothing of each other:
 * the revision 2026-07-28, and those before it as far as they need no session. It knows no HTTP beyond headers and a status.
 */
export class McpServer<Context> {
  readonly #features: McpFeatures<Context>;
  readonly #tools: ReadonlyMap<string, Tool<Context>>;
  readonly #described: readonly object[];
  /** What every result says of who gave it; undefined where nobody is named, so that it is left out. */
  readonly #meta: object | undefined;
  readonly #modernMeta: object;
  readonly #modern: ReadonlyMap<string, Method<Context>>;
  readonly #legacy: ReadonlyMap<string, Method<Context>>;

  constructor(features: McpFeatures<Context>) {
    this.#features = features;
    this.#tools = new Map(features.tools.map((tool) => [tool.name, tool]));
    this.#described = features.tools.map((tool) => ({ ...tool, call: undefined }));
    const { info, instructions } = features;
    this.#meta = info.instance === undefined ? undefined : { [instanceKey]: info.instance };
    this.#modernMeta = { [metaKey('serverInfo')]: info, ...this.#meta };
    const capabilities = { tools: {}, resources: {} };
    const shared = (notFound: number): [string, Method<Context>][] => [
      ['tools/list', (params) => this.#listTools(params)],
      ['tools/call', (params, call) => this.#callTool(params, call)],
      ['resources/list', (params, call) => this.#listResources(params, call)],
      ['resources/templates/list', (params) => this.#listTemplates(params)],
      ['resources/read', (params, call) => this.#readResource(params, call, notFound)],
    ];
    this.#modern = new Map([
      ...shared(rpcCodes.invalidParams),
      ['server/discover', () => ({ supportedVersions: [modernVersion], capabilities, instructions })],
    ]);
    this.#legacy = new Map([
      ...shared(rpcCodes.resourceNotFound),
      ['ping', () => ({})],
      [
        'initialize',
        (params) => ({ protocolVersion: negotiated(params), capabilities, serverInfo: info, instructions }),
      ],
    ]);
  }

  /** The answer to a body that was parsed already. Never rejects. */
  async answer(body: unknown, headers: McpHeaders, call: ToolCall<Context>): Promise<McpAnswer> {
    const id = echoableId(body);
    try {
      const message = toMessage(body);
      const given = readHeaders(headers);
      if (message.kind === 'response') {
        checkLegacyVersion(given);
        return { status: 202 };
      }
      const { method, params } = message;
      const isModern =
        message.kind === 'request' ? isModernRequest(method, params, given) : isModernNotification(params, given);
      if (isModern) checkHeaders(message, given);
      else if (method !== 'initialize') checkLegacyVersion(given);
      if (message.kind === 'notification') return { status: 202 };
      const result: Result = isModern
        ? await this.#runModern(method, params, call)
        : await runMethod(this.#legacy, { method, params, status: 200 }, call);
      // The answer to ping is empty.
      if (!isModern && method !== 'ping') result._meta = this.#meta;
      // Clients that know sessions stay with this instance then; nothing else is kept of them.
      const session =
        method === 'initialize' && call.instance !== undefined ? { [sessionHeader]: call.instance.id } : undefined;
      return { status: 200, body: { jsonrpc: '2.0', id: message.id, result }, headers: session };
    } catch (error) {
      if (error instanceof RpcError) return { status: error.status, body: errorResponse(error, id) };
      return { status: 200, body: errorResponse(internalError, id), cause: error };
    }
  }

  async #runModern(method: string, params: Params, call: ToolCall<Context>): Promise<object> {
    const result = await runMethod(this.#modern, { method, params, status: 404 }, call);
    return {
      ...result,
      resultType: 'complete',
      // Beans change all the time, and who may see them depends on the token.
      ...(method === 'tools/call' ? {} : { ttlMs: 0, cacheScope: 'private' }),
      _meta: this.#modernMeta,
    };
  }

  #listTools(params: Params): object {
    checkCursor(params);
    return { tools: this.#described };
  }

  async #callTool({ name, arguments: given = {} }: Params, call: ToolCall<Context>): Promise<ToolResult> {
    const tool = typeof name === 'string' ? this.#tools.get(name) : undefined;
    if (tool === undefined)
      throw new RpcError(rpcCodes.invalidParams, 'There is no tool of that name; tools/list lists all.');
    if (!isObject(given)) throw new RpcError(rpcCodes.invalidParams, 'The arguments of a tool must be an object.');
    try {
      const problem = call.refusal ?? argumentProblem(given, tool.inputSchema);
      if (problem !== undefined) throw new ToolError(problem);
      return withInstance(await tool.call(given, call), call);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return withInstance({ content: [{ type: 'text', text: error.message }], isError: true }, call);
    }
  }

  #listResources(params: Params, call: ToolCall<Context>): object {
    const { cursor } = params;
    const page =
      cursor === undefined || typeof cursor === 'string' ? this.#features.resources.list(cursor, call) : undefined;
    return page ?? refuseCursor();
  }

  #listTemplates(params: Params): object {
    checkCursor(params);
    return { resourceTemplates: this.#features.resources.templates };
  }

  async #readResource({ uri }: Params, call: ToolCall<Context>, notFound: number): Promise<object> {
    if (typeof uri !== 'string') throw new RpcError(rpcCodes.invalidParams, 'resources/read needs a uri.');
    const contents = await this.#features.resources.read(uri, call);
    if (contents === undefined) throw new RpcError(notFound, 'Resource not found', { data: { uri } });
    return { contents };
  }
}

/** A model sees nothing but the content. */
const withInstance = (result: ToolResult, { instance }: { readonly instance?: Identity | undefined }): ToolResult =>
  instance === undefined
    ? result
    : {
        ...result,
        content: [...result.content, { type: 'text', text: `instance: ${instance.id} (${instance.label})` }],
      };

const internalError = new RpcError(rpcCodes.internalError, 'Something went wrong on our side; it has been logged.');

interface Invocation {
  readonly method: string;
  readonly params: Params;
  /** Of the response to a method that there is not. */
  readonly status: number;
}

function runMethod<Context>(
  methods: ReadonlyMap<string, Method<Context>>,
  { method, params, status }: Invocation,
  call: ToolCall<Context>,
): Result | Promise<Result> {
  const run = methods.get(method);
  if (run === undefined) throw new RpcError(rpcCodes.methodNotFound, 'Method not found', { status });
  return run(params, call);
}

/** The version that a client of an earlier revision asks for, or else the newest of those. */
function negotiated({ protocolVersion }: Params): string {
  if (typeof protocolVersion !== 'string')
    throw new RpcError(rpcCodes.invalidParams, 'initialize needs a protocolVersion.');
  return legacyVersions.includes(protocolVersion) ? protocolVersion : (legacyVersions[0] ?? '');
}

interface GivenHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

const readHeaders = (headers: McpHeaders): GivenHeaders => ({
  version: headers['mcp-protocol-version']?.toString(),
  method: headers['mcp-method']?.toString(),
  name: headers['mcp-name']?.toString(),
});

/** Revisions are named by their date, so later ones are greater. */
const isModernName = (version: unknown) => typeof version === 'string' && version >= modernVersion;

/** Whether a request is one of 2026-07-28 or later; its body tells, and the header must agree. */
function isModernRequest(method: string, params: Params, { version }: GivenHeaders): boolean {
  const meta = isObject(params._meta) ? params._meta : {};
  if (method === 'initialize' && !(isModernName(meta[versionKey]) && isObject(meta[capabilitiesKey]))) {
    if (isModernName(version)) throw mismatch('initialize is of earlier revisions than MCP-Protocol-Version says.');
    return false;
  }
  if (!(versionKey in meta) && !isModernName(version)) return false;
  const missing = [
    ...(typeof meta[versionKey] === 'string' ? [] : [versionKey]),
    ...(isObject(meta[capabilitiesKey]) ? [] : [capabilitiesKey]),
  ];
  if (missing.length === 0) return true;
  const message = `The _meta of a request needs ${missing.join(' and ')}.`;
  throw new RpcError(rpcCodes.invalidParams, message, { status: 400, data: { missing } });
}

/** A notification need not tell its version in the body, so the header does. */
function isModernNotification(params: Params, { version }: GivenHeaders): boolean {
  const claimed = isObject(params._meta) ? params._meta[versionKey] : undefined;
  if (claimed === undefined) return isModernName(version);
  if (typeof claimed === 'string') return true;
  throw new RpcError(rpcCodes.invalidParams, `${versionKey} must be a text.`, { status: 400 });
}

interface ModernMessage {
  readonly kind: 'request' | 'notification';
  readonly method: string;
  readonly params: Params;
}

/** Which part of a request the header `Mcp-Name` repeats. */
const namedBy: ReadonlyMap<string, 'name' | 'uri'> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** What stands between client and server may go by the headers, so they must say what the body says (2026-07-28, "Server Validation"). */
function checkHeaders({ kind, method, params }: ModernMessage, headers: GivenHeaders): void {
  const meta = isObject(params._meta) ? params._meta : {};
  const claimed = meta[versionKey] ?? headers.version;
  if (headers.version !== undefined && headers.version !== claimed)
    throw mismatch('MCP-Protocol-Version differs from the body.');
  if (headers.method !== undefined && headers.method !== method) throw mismatch('Mcp-Method differs from the body.');
  if (claimed !== modernVersion) {
    const data = { supported: [modernVersion], requested: claimed };
    throw new RpcError(rpcCodes.unsupportedVersion, 'Unsupported protocol version', { status: 400, data });
  }
  if (kind === 'notification') return;
  if (headers.version === undefined) throw mismatch('MCP-Protocol-Version is missing.');
  if (headers.method === undefined) throw mismatch('Mcp-Method is missing.');
  const field = namedBy.get(method);
  const name = field === undefined ? undefined : params[field];
  if (field === undefined) return;
  const given = headers.name === undefined ? undefined : decodeName(headers.name);
  if (typeof name === 'string' ? given !== name : headers.name !== undefined && given === undefined)
    throw mismatch(`Mcp-Name is missing or differs from params.${field}.`);
}

const mismatch = (message: string) => new RpcError(rpcCodes.headerMismatch, message, { status: 400 });

/** A name that fits no header comes in base64; undefined when that is malformed. */
function decodeName(header: string): string | undefined {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(header) ?? [];
  if (encoded === undefined) return header;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded ? bytes.toString() : undefined;
}

/** Older clients than those with the header are not turned away, as long as they need nothing else. */
function checkLegacyVersion({ version }: GivenHeaders): void {
  if (version === undefined || legacyVersions.includes(version)) return;
  const message = `Unsupported protocol version; supported are ${[modernVersion, ...legacyVersions].join(', ')}.`;
  throw new RpcError(rpcCodes.invalidRequest, message, { status: 400 });
}

/** The lists that come whole give no cursor, so none can be right. */
function checkCursor({ cursor }: Params): void {
  if (cursor !== undefined) refuseCursor();
}

function refuseCursor(): never {
  throw new RpcError(rpcCodes.invalidParams, 'This cursor was not given by the server; list again without one.');
}
