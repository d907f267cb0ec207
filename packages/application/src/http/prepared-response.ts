import type { FastifyInstance, FastifyReply, RouteOptions } from 'fastify';
import { appendHeader } from './negotiation.ts';
import { securityHeadersFor } from './security-headers.ts';

/** The key in the configuration of a route that holds the options it was registered with. */
const registered = Symbol('registered');

declare module 'fastify' {
  interface FastifyContextConfig {
    [registered]?: RouteOptions;
  }
}

/** One signature for all hook names; Fastify's types have one for each. */
type AddHook = (this: FastifyInstance, name: string, hook: unknown) => FastifyInstance;

/** Instances with an `onSend` hook. */
const instancesWithHook = new WeakSet<object>();

/** Records each `onSend` hook that is added from here on, to an instance or a route, so that no response skips it. */
export function watchSendHooks(server: FastifyInstance): void {
  const hooks = server as unknown as { addHook: AddHook };
  const { addHook } = hooks;
  // Fastify makes the instance of a plugin from the one around it, so that this one is inherited.
  hooks.addHook = function (name, hook) {
    if (name === 'onSend') instancesWithHook.add(this);
    return addHook.call(this, name, hook);
  };
  // Plugins add hooks to the routes of others by an `onRoute` hook of their own, after this one.
  server.addHook('onRoute', (route) => {
    route.config = { ...route.config, [registered]: route };
  });
}

/** Whether an `onSend` hook other than the host's own would run for this response; true when that is unknown. */
export function hasSendHooks(reply: FastifyReply): boolean {
  const route = reply.routeOptions.config[registered];
  if (route === undefined || route.onSend !== undefined) return true;
  for (let instance: object | null = reply.server; instance !== null; instance = Object.getPrototypeOf(instance))
    if (instancesWithHook.has(instance)) return true;
  return false;
}

/** Whether a header was set that is not a cookie. */
function hasHeaders(reply: FastifyReply): boolean {
  for (const name in reply.getHeaders()) if (name !== 'set-cookie') return true;
  return false;
}

/** Headers that hold lists, to which hooks may have added something. */
const listHeaders = new Set(['server-timing', 'vary']);

/**
 * A response with a fixed status and headers, and a body in buffers. When no `onSend` hook would run and no hook has set a header, it is
 * written in one system call without joining the buffers; otherwise Fastify sends it.
 */
export class PreparedResponse {
  readonly #status: number;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #lists = new Map<object, readonly string[]>();

  /** @param headers in lower case; they replace security headers of the same name */
  constructor(status: number, headers: Readonly<Record<string, string>>) {
    this.#status = status;
    this.#headers = headers;
  }

  /**
   * The handler must return what this returns.
   * @param more headers of this one response: names in lower case and values in turn
   */
  send(reply: FastifyReply, body: readonly Buffer[], more: readonly string[] = []): FastifyReply | undefined {
    if (hasSendHooks(reply) || hasHeaders(reply)) return this.#sendByFastify(reply, body, more);
    this.#write(reply, body, more);
    return undefined;
  }

  #sendByFastify(reply: FastifyReply, body: readonly Buffer[], more: readonly string[]): FastifyReply {
    reply.code(this.#status);
    const headers = [...Object.entries(this.#headers).flat(), ...more];
    for (let index = 0; index < headers.length; index += 2) {
      const [name = '', value = ''] = headers.slice(index, index + 2);
      if (listHeaders.has(name)) appendHeader(reply, name, value);
      else reply.header(name, value);
    }
    return reply.send(body.length > 1 ? Buffer.concat(body) : body[0]);
  }

  #write(reply: FastifyReply, body: readonly Buffer[], more: readonly string[]): void {
    const { raw } = reply;
    raw.writeHead(this.#status, this.#head(reply, body, more));
    if (body.length < 2) raw.end(body[0]);
    else {
      raw.cork();
      for (const part of body) raw.write(part);
      raw.end();
      raw.uncork();
    }
  }

  /** Names and values in turn, which is what Node writes fastest. */
  #head(reply: FastifyReply, body: readonly Buffer[], more: readonly string[]): string[] {
    const head = this.#fixedFor(reply).concat(more);
    let length = 0;
    for (const part of body) length += part.length;
    head.push('content-length', String(length));
    const cookies = reply.getHeader('set-cookie');
    if (typeof cookies === 'string') head.push('set-cookie', cookies);
    else if (Array.isArray(cookies)) for (const cookie of cookies) head.push('set-cookie', cookie);
    return head;
  }

  #fixedFor({ request }: FastifyReply): readonly string[] {
    const security = securityHeadersFor(request);
    let list = this.#lists.get(security);
    if (list === undefined) {
      list = Object.entries({ ...security, ...this.#headers }).flat();
      this.#lists.set(security, list);
    }
    return list;
  }
}
