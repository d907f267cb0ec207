import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BeanProblem, Token } from '@jig/bean-inspection/internal';
import { isCrossSite, isForThisMachine } from '@jig/http';

const cookieName = 'jig-console';

/** Access to the console: by its token, which is new at each start. */
export class ConsoleAccess {
  readonly token = randomBytes(24).toString('base64url');
  /**
   * All paths begin with it. Browsers send cookies to all ports of a host, including servers of other users; this one is sent only to paths
   * with this prefix, which other servers do not know.
   */
  readonly prefix = `/${randomBytes(9).toString('base64url')}`;
  readonly #token = new Token(this.token);

  /** Throws unless the request has the token and does not come from a page of another site. */
  check(request: IncomingMessage): void {
    const { headers, url = '' } = request;
    if (!isForThisMachine(request, url))
      throw new BeanProblem(403, 'The console is not shown under this host name; use 127.0.0.1.');
    if (isCrossSite({ raw: request, host: headers.host ?? '' }))
      throw new BeanProblem(403, 'The console is not shown to pages of other sites; open its address itself.');
    const given = [/^\/\?token=([^&]*)$/.exec(url)?.[1], ...cookiesIn(headers.cookie)];
    // All are compared, so that timing reveals nothing.
    const isKnown = given.map((each) => this.#token.is(each)).some(Boolean);
    if (isKnown || this.#token.isIn(headers.authorization)) return;
    throw new BeanProblem(401, 'This needs the token: open the address that jig has printed.', {
      headers: { 'www-authenticate': 'Bearer realm="jig"' },
    });
  }

  /** Keeps the token for a browser that opened the address with it. */
  get cookie(): string {
    return `${cookieName}=${this.token}; Path=${this.prefix}; HttpOnly; SameSite=Strict`;
  }
}

const cookiesIn = (header = '') =>
  header.split(/; */).flatMap((pair) => (pair.startsWith(`${cookieName}=`) ? [pair.slice(cookieName.length + 1)] : []));
