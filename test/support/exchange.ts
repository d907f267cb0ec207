import { connect } from 'node:net';

export interface RawAnswer {
  readonly statusLine: string;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** Everything as it came. */
  readonly raw: string;
}

export function parseAnswer(raw: string): RawAnswer {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const status = Number(statusLine.split(' ')[1]);
  return { statusLine, status, headers: new Map(headers), body: rest.join('\r\n\r\n'), raw };
}

/** Sends exactly these bytes over a socket, and returns everything until the server closes or is quiet for a while. */
export function exchange(url: string, bytes: string | Uint8Array): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    const finish = () => {
      socket.destroy();
      resolve(parseAnswer(Buffer.concat(chunks).toString('latin1')));
    };
    socket.setTimeout(10_000, finish);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', finish);
    socket.on('error', (error) => (chunks.length > 0 ? finish() : reject(error)));
    socket.write(bytes);
  });
}

/** A request with a handwritten head, which closes the connection after the answer. */
export function request(
  url: string,
  line: string,
  headers: Record<string, string> = {},
  body = '',
): Promise<RawAnswer> {
  const { host } = new URL(url);
  const all = { host, connection: 'close', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return exchange(url, [`${line} HTTP/1.1`, ...lines, '', body].join('\r\n'));
}

/** Joins the chunks of a body; throws if it is not chunked. */
export function dechunk(body: string): string {
  let text = '';
  for (let from = 0; ; ) {
    const lineEnd = body.indexOf('\r\n', from);
    const size = body.slice(from, Math.max(lineEnd, from));
    if (!/^[0-9a-f]+$/i.test(size)) throw new Error(`Not in chunks: ${body.slice(from, from + 80)}`);
    const length = Number.parseInt(size, 16);
    if (length === 0) return Buffer.from(text, 'latin1').toString();
    from = lineEnd + 2 + length + 2;
    text += body.slice(lineEnd + 2, lineEnd + 2 + length);
  }
}
