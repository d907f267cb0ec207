import type { Secrets } from '@jig/inspect';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DestinationStream, Logger } from 'pino';
import { pino } from 'pino';

interface LogOptions {
  readonly level: string;
  readonly format: 'auto' | 'pretty' | 'json';
  readonly name: string;
  readonly destination?: LogDestination | undefined;
}

/** Takes the lines of a log, each with the line feed at its end. */
export interface LogDestination {
  write(line: string): void;
}

/** Pretty on a terminal, JSON lines otherwise, with secrets masked. Lines are written synchronously, so that none is lost in a crash. */
export async function createLog(options: LogOptions, secrets: Secrets): Promise<Logger> {
  const { level, format, name, destination: output = openStandardOutput() } = options;
  const isPretty = format === 'pretty' || (format === 'auto' && process.stdout.isTTY);
  const destination = isPretty ? await prettyStream(output) : output;
  const hooks = { streamWrite: (line: string) => secrets.maskJsonLine(line) };
  return pino({ level, base: isPretty ? null : { name, pid: process.pid }, hooks, serializers }, destination);
}

/** What is logged of a request or a reply: their headers may hold cookies and passwords. */
const serializers = {
  req: (request: Partial<FastifyRequest> | null) => ({ method: request?.method, url: request?.url, ip: request?.ip }),
  res: (reply: Partial<FastifyReply> | null) => ({ statusCode: reply?.statusCode }),
};

/** The application continues when nothing can be written: the terminal or the reader is closed, or the disk is full. */
function openStandardOutput(): DestinationStream {
  // Lines that cannot be written are buffered up to this many bytes.
  const output = pino.destination({ fd: 1, sync: true, maxLength: 2 ** 20 });
  output.on('error', () => {});
  return output;
}

async function prettyStream(output: LogDestination): Promise<DestinationStream> {
  const { prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({
    translateTime: 'SYS:HH:MM:ss',
    // `facts` are for programs; the message says the same.
    ignore: 'pid,hostname,name,facts',
    colorize: process.stdout.isTTY,
    // A message is one line, even with line breaks of a client; the rest is indented.
    messageFormat: (entry, key) => String(entry[key]).replace(/\p{Cc}+/gu, ' '),
  });
  return { write: (line) => output.write(format(line)) };
}
