import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What a page may load beside things of its own origin. */
export interface ContentSources {
  /** Inline scripts, by their exact text. */
  readonly inlineScripts?: readonly string[];
  /** Inline style sheets, by their exact text. */
  readonly inlineStyles?: readonly string[];
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** A policy that allows nothing but what is named: own files, and inline parts whose text is known. */
export function contentSecurityPolicy({ inlineScripts = [], inlineStyles = [] }: ContentSources = {}): string {
  return [
    "default-src 'none'",
    ['script-src', "'self'", ...inlineScripts.map(hashOf)].join(' '),
    ['style-src', "'self'", ...inlineStyles.map(hashOf)].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The policy of an answer that holds nothing to load, such as a redirect. Node looks at each character of a header each time, so a shorter one is sent sooner. */
export const minimalCsp = "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The headers that every answer carries; a page with inline parts replaces the policy by its own. */
export const securityHeaders: Readonly<Record<string, string>> = Object.freeze({
  'content-security-policy': contentSecurityPolicy(),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
});

const overHttps: Readonly<Record<string, string>> = Object.freeze({
  ...securityHeaders,
  'strict-transport-security': 'max-age=31536000',
});

/**
 * Adds what only an answer over HTTPS carries, where the last balancer says that the client came by it: asked for requests whose address
 * is none, which Fastify makes without heeding balancers, and answers without the hook below.
 */
export function addHeadersOverHttps({ headers }: FastifyRequest, reply: FastifyReply): void {
  const protocol = String(headers['x-forwarded-proto']).split(',').at(-1)?.trim();
  if (protocol === 'https') reply.headers(overHttps);
}

/** The headers that the answer to this request carries. Whoever writes past Fastify adds them himself. */
export const securityHeadersFor = ({ protocol }: FastifyRequest) =>
  protocol === 'https' ? overHttps : securityHeaders;

/** Adds them at the end rather than at the beginning, so that what a hook or a route has set stays, and prepared responses do not pay twice. */
export function addSecurityHeaders(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    addMissingHeaders(reply, securityHeadersFor(request));
    done(null, payload);
  });
}

/** What a hook or a route has set stays. */
export function addMissingHeaders(reply: FastifyReply, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) if (!reply.hasHeader(name)) reply.header(name, value);
}
