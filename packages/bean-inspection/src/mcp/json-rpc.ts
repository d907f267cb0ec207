/** The codes of JSON-RPC 2.0, and those that MCP adds (2026-07-28, basic, section "Error Codes"). */
export const rpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
  /** Of the revisions up to 2025-11-25 only. */
  resourceNotFound: -32_002,
} as const;

export interface RpcErrorOptions {
  /** The status of the HTTP response; 200 where the message was understood. */
  readonly status?: number;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** An error that the client is told. It never repeats what the client sent, except where the protocol asks for it in `data`. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(code: number, message: string, { status = 200, data }: RpcErrorOptions = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

export type RpcId = string | number;

type JsonObject = Readonly<Record<string, unknown>>;

/** A request, a notification without an `id`, or a response, which nobody here has asked for. */
export type RpcMessage =
  | { readonly kind: 'request'; readonly id: RpcId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'response' };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fractions are no identifiers in MCP, and `null` is none either (2026-07-28, basic, section "Requests"). */
const isId = (value: unknown): value is RpcId => typeof value === 'string' || Number.isSafeInteger(value);

/** A body that was parsed already, as one message. Batches are in none of the revisions that are spoken here. */
export function toMessage(body: unknown): RpcMessage {
  if (!isObject(body) || body.jsonrpc !== '2.0') throw malformed();
  const { id, method, params } = body;
  if (method === undefined && isId(id) && ('result' in body || 'error' in body)) return { kind: 'response' };
  if (typeof method !== 'string' || (params !== undefined && !isObject(params))) throw malformed();
  if (!('id' in body)) return { kind: 'notification', method, params: params ?? {} };
  if (!isId(id)) throw malformed();
  return { kind: 'request', id, method, params: params ?? {} };
}

function malformed(): RpcError {
  const message = 'The body must be one JSON-RPC 2.0 request or notification; batches are not supported.';
  return new RpcError(rpcCodes.invalidRequest, message, { status: 400 });
}

/** The identifier that an answer repeats, also to a message with another mistake. */
export const echoableId = (body: unknown): RpcId | undefined => (isObject(body) && isId(body.id) ? body.id : undefined);

/** An error as a response. Without an identifier that could be read it has none (2025-11-25 and later). */
export function errorResponse({ code, message, data }: RpcError, id?: RpcId): JsonObject {
  return { jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error: { code, message, ...(data && { data }) } };
}
