import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { closingAnswer, type ServerSocket } from './client-errors.ts';
import { Problem } from './problem.ts';
import { sendProblem } from './problem-handlers.ts';

/**
 * Closes connections on which nothing moves for the server's `connectionTimeout`, unless it is the handler that has
 * nothing to send: how long a handler may take is no matter of the client.
 */
export function closeSilentConnections({ server }: FastifyInstance): void {
  server.on('timeout', (socket: ServerSocket) => {
    const isWaitingForHandler = Boolean(socket._httpMessage) && socket.writableLength === 0;
    if (!isWaitingForHandler) socket.destroy();
  });
}

/** Ends requests whose handler sends nothing for so many milliseconds. Those who send or read slowly are not its concern. */
export function limitSilence(server: FastifyInstance, milliseconds: number): void {
  server.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    const { socket } = raw;
    const begin = performance.now();
    let sent = socket.bytesWritten;
    const timer = setTimeout(() => {
      if (reply.raw.writableEnded || socket.destroyed) return;
      const isWaitingForClient = raw.complete === false || socket.writableLength > 0;
      if (!isWaitingForClient && socket.bytesWritten === sent) {
        return endSilence(request, reply, performance.now() - begin);
      }
      sent = socket.bytesWritten;
      timer.refresh();
    }, milliseconds).unref();
    // The handler has its time from when it has the whole body.
    raw.once('end', () => timer.refresh());
    reply.raw.once('close', () => clearTimeout(timer));
    done();
  });
}

function endSilence({ method, routeOptions, log }: FastifyRequest, reply: FastifyReply, duration: number): void {
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

/** Answers in the handler's place; what it sends later is lost. */
function answerInstead(reply: FastifyReply, problem: Problem): void {
  if (!reply.sent) sendProblem(reply, problem).hijack();
  else {
    const { headers, body } = closingAnswer(problem);
    reply.raw.writeHead(problem.status, headers).end(body);
  }
}
