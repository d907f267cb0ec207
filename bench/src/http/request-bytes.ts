export interface PlannedRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request as it goes over the wire. */
export function requestBytes({ method = 'GET', path, headers = {}, body = '' }: PlannedRequest): Buffer {
  const all: Record<string, string> = { host: 'localhost', ...headers };
  if (body !== '') all['content-length'] = String(Buffer.byteLength(body));
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}
