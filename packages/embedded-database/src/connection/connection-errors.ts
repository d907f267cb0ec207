/** System errors while connecting or reading. */
const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** The server shuts down, has crashed, does not accept connections yet, or has no free one (PostgreSQL, appendix A). */
const postgresqlCodes = new Set(['57P01', '57P02', '57P03', '53300']);

/** Messages of the client libraries that have no code. */
const clientMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client (?:has encountered a connection error|was closed)|Can't add new command when connection is in closed state)/;

/** Whether an error means that the database is down, rather than that it rejected a query. A query time-out does not mean that. */
export function isLostConnection(error: unknown): boolean {
  const { code, syscall, message } = (error ?? {}) as { code?: unknown; syscall?: unknown; message?: unknown };
  if (typeof code === 'string') {
    // A server that is down has no socket file.
    if (code === 'ENOENT') return syscall === 'connect';
    if (systemCodes.has(code) || postgresqlCodes.has(code)) return true;
  }
  return typeof message === 'string' && clientMessages.test(message);
}

/** Whether a database refused something because there is no room for it. */
export function isDiskFull(error: unknown): boolean {
  return ((error ?? {}) as { code?: unknown }).code === '53100';
}
