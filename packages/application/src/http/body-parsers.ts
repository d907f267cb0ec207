import type { FastifyInstance } from 'fastify';
import { parseQueryString } from '../commonjs-dependencies.ts';

/**
 * Parses forms as `@fastify/formbody` does, beside the JSON and the plain text that Fastify parses itself. By an expression, since a plugin
 * may then still add a parser of its own for the same type, such as `@fastify/formbody`, which goes first.
 */
export function parseForms(server: FastifyInstance): void {
  server.addContentTypeParser<string>(
    /^application\/x-www-form-urlencoded(?:;|$)/,
    { parseAs: 'string' },
    (_request, body, done) => done(null, parseQueryString(body)),
  );
}
