import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { formatProblem, Problem } from './problem.ts';
import { securityHeaders } from './security-headers.ts';

function problemOfConnection(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem(431);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem(408);
  return new Problem(400, { detail: 'The request is not well-formed HTTP.' });
}

/** The answer under way on a connection, which node:http keeps here and looks at for the same reason. */
interface SocketOfServer extends Socket {
  readonly _httpMessage?: { readonly headersSent: boolean } | null;
}

/** Answers a request that never became one: what arrived was not HTTP, too long, or too slow. */
export function answerClientError(error: NodeJS.ErrnoException, socket: SocketOfServer): void {
  const isInsideAnswer = socket._httpMessage?.headersSent === true;
  if (error.code === 'ECONNRESET' || !socket.writable || isInsideAnswer) {
    socket.destroy();
    return;
  }
  const problem = problemOfConnection(error.code);
  const { type, body } = formatProblem(problem, 'json');
  const headers = {
    ...securityHeaders,
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`, ...lines, '', body].join('\r\n'));
  socket.destroySoon();
}
