import type { FastifyInstance, FastifyReply } from 'fastify';
import { appendHeader } from './negotiation.ts';
import { securityHeadersFor, securityHook } from './security-headers.ts';

/** Whether each route has further `onSend` hooks, by the configuration of the route. */
const known = new WeakMap<object, boolean>();

/** Whether an `onSend` hook other than the host's own would run for this response; true when that is unknown. */
export function hasSendHooks(reply: FastifyReply): boolean {
  const { config } = reply.routeOptions;
  let result = known.get(config);
  if (result === undefined) {
    result = !hasOnlyOwnHook(reply.server, config);
    known.set(config, result);
  }
  return result;
}

function hasOnlyOwnHook(server: FastifyInstance, { method, url }: FastifyReply['routeOptions']['config']): boolean {
  const printed = server.printRoutes({ commonPrefix: false, includeHooks: true });
  const hooks = sendHooksIn(printed).filter(({ route }) => route === `${String(method)} ${url}`);
  return hooks.length === 1 && hooks[0]?.names === `["${securityHook}()"]`;
}

/** A node of the printed tree, or a further method of the node above: indentation, mark of a node, path below its parent, methods with the same hooks. */
const nodeLine = /^((?:│ {3}| {4})*)([├└]── )?([^•│\s].*?)(?: \(([A-Z-]+(?:, [A-Z-]+)*)\))?$/;
const sendHookLine = /• \(onSend\) (.*)$/;

/** Fastify shows the hooks of its routes only in print: a tree of paths, with a line for each kind of hook below each method. */
function sendHooksIn(printed: string): readonly { readonly route: string; readonly names: string }[] {
  const found: { route: string; names: string }[] = [];
  const paths: string[] = [];
  let routes: readonly string[] = [];
  for (const line of printed.split('\n')) {
    const [, names] = sendHookLine.exec(line) ?? [];
    if (names !== undefined) found.push(...routes.map((route) => ({ route, names })));
    const [, indentation = '', mark, path = '', methods = ''] = nodeLine.exec(line) ?? [];
    if (path === '') continue;
    const depth = indentation.length / 4;
    if (mark !== undefined) paths.splice(depth, Number.POSITIVE_INFINITY, `${paths[depth - 1] ?? ''}${path}`);
    routes = methods.split(', ').map((method) => `${method} ${paths.at(-1)}`);
  }
  return found;
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
