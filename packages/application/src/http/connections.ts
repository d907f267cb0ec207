import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { securityHeaders } from '@jig/http';
import { formatProblem, Problem } from '@jig/http/problem';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from './problem.ts';

const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** What node:http itself records of a connection. */
interface ServerSocket extends Socket {
  /** The response being sent; those to later requests wait behind it. */
  readonly _httpMessage?: ServerResponse<IncomingMessage> | null;
  /** Holds the last request until all of it has been read. */
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
}

/** Rejected connections: whatever else arrives on them is ignored. */
const refused = new WeakSet<Socket>();

/** Answers what node:http could not parse: not HTTP, too long, or too slow. */
export function answerClientError(error: NodeJS.ErrnoException, socket: ServerSocket): void {
  refuse(socket, problemOfConnection(error.code));
}

function problemOfConnection(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem(431);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem(408);
  return new Problem(400, { detail: 'The request is not well-formed HTTP.' });
}

/**
 * Answers CONNECT, which is implemented for no resource: 501 (RFC 9110, section 9.1). node:http no longer manages the
 * connection by then, so that the time-out is set here.
 */
export function rejectConnect(server: Server, timeout: number): void {
  server.on('connect', (_request, socket: ServerSocket) => {
    socket.on('error', () => {});
    socket.setTimeout(timeout, () => socket.destroy());
    refuse(socket, new Problem(501));
  });
}

function refuse(socket: ServerSocket, problem: Problem): void {
  if (refused.has(socket)) return;
  refused.add(socket);
  answerAfterPending(socket, problem);
}

/** Complete requests before the rejected one are answered first; a broken request is answered once. */
function answerAfterPending(socket: ServerSocket, problem: Problem): void {
  // Closed, or closing after its last response.
  if (!socket.writable) return;
  const current = socket._httpMessage;
  if (current?.req.complete) current.once('finish', () => answerAfterPending(socket, problem));
  else if (current?.headersSent && !current.writableEnded) socket.destroy();
  else if (current?.headersSent || isAnswered(socket)) socket.destroySoon();
  else endWith(socket, problem);
}

/** Whether the broken request was answered before it was complete. */
const isAnswered = ({ _httpMessage, parser }: ServerSocket) => !_httpMessage && parser?.incoming?.complete === false;

function endWith(socket: Socket, problem: Problem): void {
  const { headers, body } = closingResponse(problem);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`, ...lines, '', body].join('\r\n'));
  socket.destroySoon();
}

/** A problem as the last response of a connection, where there is no Fastify reply. */
function closingResponse(problem: Problem): { headers: Record<string, string>; body: string } {
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

/**
 * Closes connections without traffic for the server's `connectionTimeout`, unless the client waits for a handler, which may take
 * its time.
 */
export function closeStalledConnections({ server }: FastifyInstance): void {
  server.on('timeout', (socket: ServerSocket) => {
    const isWaitingForHandler = Boolean(socket._httpMessage) && socket.writableLength === 0;
    if (!isWaitingForHandler) socket.destroy();
  });
}

/** How long the first request of a new connection may be on its way when the server closes. */
const firstRequestMs = 200;

/** Closes connections that have brought nothing when the server closes, such as browsers open in advance: node:http does not count them as idle. */
export function closeUnusedConnections(server: FastifyInstance): void {
  const open = new Set<Socket>();
  server.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const closeUnused = () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
  server.addHook('preClose', async () => void setTimeout(closeUnused, firstRequestMs).unref());
}

const ignore = () => {};
/** How long a client that still sends has to read the last response. */
const lingerMs = 2000;

/**
 * Closes a connection in two steps if the client still sends the body of a request that has been answered (RFC 9112, section 9.6): closed
 * at once, it would be reset, and the client would often not see the answer. What comes meanwhile is discarded, and not parsed.
 */
export function lingerAfterRefusedBodies(server: Server): void {
  server.on('connection', (socket: ServerSocket) => {
    const destroySoon = socket.destroySoon.bind(socket);
    // node:http calls it after the last response.
    socket.destroySoon = () => {
      if (socket.parser?.incoming?.complete !== false) return destroySoon();
      socket.end();
      // With a listener, node:http no longer reads by itself; it may have stopped reading, which neither stream knows.
      socket.removeAllListeners('data').on('data', ignore).resume();
      socket._read(0);
      setTimeout(() => socket.destroy(), lingerMs).unref();
    };
  });
}

/** Ends requests whose handler sends nothing for so many milliseconds. Slow clients have time-outs of their own. */
export function enforceResponseTimeout(server: FastifyInstance, milliseconds: number): void {
  server.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    const { socket } = raw;
    const begin = performance.now();
    let sent = socket.bytesWritten;
    const timer = setTimeout(() => {
      if (reply.raw.writableEnded || socket.destroyed) return;
      const isWaitingForClient = raw.complete === false || socket.writableLength > 0;
      if (!isWaitingForClient && socket.bytesWritten === sent) {
        return endSilentResponse(request, reply, performance.now() - begin);
      }
      sent = socket.bytesWritten;
      timer.refresh();
    }, milliseconds).unref();
    // The time of the handler begins when it has the whole body.
    raw.once('end', () => timer.refresh());
    reply.raw.once('close', () => clearTimeout(timer));
    done();
  });
}

function endSilentResponse({ method, routeOptions, log }: FastifyRequest, reply: FastifyReply, duration: number): void {
  const { raw } = reply;
  const { url: path } = routeOptions;
  const consequence = raw.headersSent ? 'cut off' : 'answered 503';
  const facts = { method, path, duration: Math.round(duration) };
  const what = `${method} ${path ?? 'of an unknown address'} was ${consequence} after ${facts.duration} ms`;
  log.warn({ facts }, `${what}: it sent nothing for as long as server.responseTimeout allows`);
  if (raw.headersSent) raw.destroy();
  else
    answerInstead(reply, new Problem(503, { detail: 'The answer took too long.', headers: { connection: 'close' } }));
}

/** Answers instead of the handler; what it sends later is ignored. */
function answerInstead(reply: FastifyReply, problem: Problem): void {
  if (!reply.sent) sendProblem(reply, problem).hijack();
  else {
    const { headers, body } = closingResponse(problem);
    reply.raw.writeHead(problem.status, headers).end(body);
  }
}
