import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import { importModule } from '../import-module.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { withoutTerminalCommands } from './terminal-commands.ts';

export interface LogOptions {
  readonly level: string;
  readonly format: 'auto' | 'pretty' | 'json';
  readonly name: string;
}

/** Pretty for people at a terminal, JSON lines for programs; no secret gets through either. Lines are written at once, so that none is lost in a crash. */
export async function createLog({ level, format, name }: LogOptions, secrets: Secrets): Promise<Logger> {
  const isPretty = format === 'pretty' || (format === 'auto' && process.stdout.isTTY);
  const destination: DestinationStream = isPretty ? await prettyStream() : pino.destination({ fd: 1, sync: true });
  const hooks = {
    streamWrite: (line: string) => secrets.maskJsonLine(isPretty ? withoutTerminalCommands(line) : line),
  };
  return pino({ level, base: isPretty ? null : { name, pid: process.pid }, hooks, serializers }, destination);
}

/** Of a request or a reply that is logged whole, what tells them apart: their headers hold cookies and passwords. */
const serializers = {
  req: (request: Partial<FastifyRequest> | null) => ({ method: request?.method, url: request?.url, ip: request?.ip }),
  res: (reply: Partial<FastifyReply> | null) => ({ statusCode: reply?.statusCode }),
};

async function prettyStream(): Promise<DestinationStream> {
  const { default: pretty } = await importModule<{ default: typeof import('pino-pretty') }>('pino-pretty');
  return pretty({
    sync: true,
    translateTime: 'SYS:HH:MM:ss',
    // `facts` say to programs what the message says to people.
    ignore: 'pid,hostname,name,facts',
    colorize: process.stdout.isTTY,
    // A message is one line, whatever a client got into it; what is printed below it is indented.
    messageFormat: (entry, key) => String(entry[key]).replace(/\p{Cc}+/gu, ' '),
  });
}
