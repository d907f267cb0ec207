import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { formatProblem, Problem } from './problem.ts';
import { securityHeaders } from './security-headers.ts';

/** What node:http keeps of a connection, and looks at for the same reasons. */
export interface ServerSocket extends Socket {
  /** The answer whose turn it is; those to later requests wait behind it. */
  readonly _httpMessage?: ServerResponse<IncomingMessage> | null;
  /** Knows the last request until all of it has been read. */
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
}

/** Connections that have been refused: whatever else arrives on them is not looked at. */
const refused = new WeakSet<Socket>();

/** Answers a request that never became one: what arrived was not HTTP, too long, or too slow. */
export function answerClientError(error: NodeJS.ErrnoException, socket: ServerSocket): void {
  refuse(socket, problemOfConnection(error.code));
}

function problemOfConnection(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem(431);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem(408);
  return new Problem(400, { detail: 'The request is not well-formed HTTP.' });
}

/**
 * Answers CONNECT, which is implemented for no resource: 501 (RFC 9110, section 9.1). node:http has let go of the
 * connection by then, so that its time-out is ours to keep.
 */
export function refuseTunnels(server: Server, timeout: number): void {
  server.on('connect', (_request, socket: ServerSocket) => {
    socket.on('error', () => {});
    socket.setTimeout(timeout, () => socket.destroy());
    refuse(socket, new Problem(501));
  });
}

function refuse(socket: ServerSocket, problem: Problem): void {
  if (refused.has(socket)) return;
  refused.add(socket);
  answerInTurn(socket, problem);
}

/** Requests that came whole before what is refused are answered first; one that is broken itself is answered once. */
function answerInTurn(socket: ServerSocket, problem: Problem): void {
  // Gone, or closing behind its last answer.
  if (!socket.writable) return;
  const current = socket._httpMessage;
  if (current?.req.complete) current.once('finish', () => answerInTurn(socket, problem));
  else if (current?.headersSent && !current.writableEnded) socket.destroy();
  else if (current?.headersSent || isAnswered(socket)) socket.destroySoon();
  else endWith(socket, problem);
}

/** Whether the request that broke off has had its answer before it was all there. */
const isAnswered = ({ _httpMessage, parser }: ServerSocket) => !_httpMessage && parser?.incoming?.complete === false;

function endWith(socket: Socket, problem: Problem): void {
  const { headers, body } = closingAnswer(problem);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`, ...lines, '', body].join('\r\n'));
  socket.destroySoon();
}

/** A problem as the last answer of a connection, for where there is no reply to send it. */
export function closingAnswer(problem: Problem): { headers: Record<string, string>; body: string } {
  const { type, body } = formatProblem(problem, 'json');
  const headers = {
    ...securityHeaders,
    'cache-control': 'no-store',
    'content-type': type,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  return { headers, body };
}
