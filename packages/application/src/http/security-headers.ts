import { securityHeaders } from '@jig/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const overHttps: Readonly<Record<string, string>> = Object.freeze({
  ...securityHeaders,
  'strict-transport-security': 'max-age=31536000',
});

/**
 * Adds the headers of responses over HTTPS by `X-Forwarded-Proto`. For requests with a malformed address, whose `protocol` Fastify sets
 * without regard to proxies, and for which the hook below does not run.
 */
export function addHeadersOverHttps({ headers }: FastifyRequest, reply: FastifyReply): void {
  const protocol = String(headers['x-forwarded-proto']).split(',').at(-1)?.trim();
  if (protocol === 'https') reply.headers(overHttps);
}

/** Adds them in `onSend`, so that what a hook or a route has set stays. */
export function addSecurityHeaders(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    addMissingHeaders(reply, request.protocol === 'https' ? overHttps : securityHeaders);
    done(null, payload);
  });
}

/** Does not replace what a hook or a route has set. */
export function addMissingHeaders(reply: FastifyReply, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) if (!reply.hasHeader(name)) reply.header(name, value);
}
