import { expect } from 'vitest';
import type { PluginRequest } from './plugin-cases.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed, if it is problem details. */
  readonly body: unknown;
}

/** Headers that differ each time, and those of connections. */
const passing = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);

/** What a server answers, without what differs each time. */
export async function askFor(
  url: string,
  [path, options]: PluginRequest,
  changing: ReadonlySet<string>,
  changingText: RegExp = /(?!)/,
): Promise<Answer> {
  const answer = await fetch(url + path, { redirect: 'manual', ...options });
  const headers = [...answer.headers].map(([name, value]) => [name, changing.has(name) ? 'changing' : value]);
  const body = (await answer.text()).replaceAll(url, 'http://server').replaceAll(new URL(url).host, 'server');
  const isProblem = answer.headers.get('content-type') === 'application/problem+json';
  return {
    status: answer.status,
    headers: Object.fromEntries(headers.filter(([name = '']) => !passing.has(name))),
    body: isProblem ? JSON.parse(body) : body.replace(changingText, 'changing'),
  };
}

/** The headers that the host adds where nothing else has set them. */
const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  406: 'Not acceptable',
  413: 'Content too large',
  415: 'Unsupported media type',
  500: 'Internal server error',
  503: 'Service unavailable',
  409: 'Conflict',
  418: "I'm a Teapot",
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  502: 'Bad Gateway',
  504: 'Gateway Timeout',
};

/** The sentences of the host, where Fastify's say nothing more or repeat the request. */
function detailFor(status: number, message: string): unknown {
  if (status === 503) return 'A part that is needed is not available right now; please try again shortly.';
  if (status >= 500) return expect.stringMatching(/^Something went wrong on our side/);
  if (/^Route .* not found$/.test(message)) return 'There is nothing at this address.';
  if (message === 'Unsupported Media Type') return 'This address does not take a body of that content type.';
  if (message === 'Request body is too large') return 'The request is larger than this address takes.';
  return message;
}

/**
 * What the host answers where plain Fastify answers this: the same with security headers, and an error that Fastify writes as problem
 * details.
 */
export function asJig({ status, headers, body }: Answer): unknown {
  const type = headers['content-type'] ?? '';
  if (status < 400 || !type.startsWith('application/json') || !/^\{.*"statusCode":\d+/s.test(String(body)))
    return { status, headers: { ...securityHeaders, ...headers }, body };
  const { message } = JSON.parse(String(body)) as { message: string };
  const document = { type: 'about:blank', title: titles[status], status, detail: detailFor(status, message) };
  return {
    status,
    headers: {
      ...securityHeaders,
      ...headers,
      'cache-control': 'no-store',
      'content-type': 'application/problem+json',
    },
    // It may have further members, such as the list of a validation.
    body: expect.objectContaining(document),
  };
}
