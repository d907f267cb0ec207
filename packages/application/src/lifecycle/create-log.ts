import type { Secrets } from '@jig/inspect';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DestinationStream, Logger } from 'pino';
import { pino } from '../commonjs-dependencies.ts';

interface LogOptions {
  readonly level: string;
  readonly format: 'auto' | 'pretty' | 'json';
  readonly name: string;
}

/** Pretty for people at a terminal, JSON lines for programs; no secret gets through either. Lines are written at once, so that none is lost in a crash. */
export async function createLog({ level, format, name }: LogOptions, secrets: Secrets): Promise<Logger> {
  const isPretty = format === 'pretty' || (format === 'auto' && process.stdout.isTTY);
  const standardOutput = openStandardOutput();
  const destination = isPretty ? await prettyStream(standardOutput) : standardOutput;
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

/** The application goes on without its log when nothing can be written: its terminal or its reader has gone, or the disk is full. */
function openStandardOutput(): DestinationStream {
  // What cannot be written is kept, up to this many bytes, for when it can.
  const output = pino.destination({ fd: 1, sync: true, maxLength: 2 ** 20 });
  output.on('error', () => {});
  return output;
}

async function prettyStream(output: DestinationStream): Promise<DestinationStream> {
  const { prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({
    translateTime: 'SYS:HH:MM:ss',
    // `facts` say to programs what the message says to people.
    ignore: 'pid,hostname,name,facts',
    colorize: process.stdout.isTTY,
    // A message is one line, whatever a client got into it; what is printed below it is indented.
    messageFormat: (entry, key) => String(entry[key]).replace(/\p{Cc}+/gu, ' '),
  });
  return { write: (line) => output.write(format(line)) };
}

/** Every escape in JSON, so that a backslash that stands for itself is passed over; and controls that JSON leaves as they are. */
const escapes = /\\(?:u[\da-f]{4}|[^u])|[\u007f-\u009f]/g;
const kept = /^\\(?:[nt"\\/]|u(?!00[01]))/;

/** A line of JSON without the control characters that a terminal would obey; line feeds and tabs stay. */
export function withoutTerminalCommands(line: string): string {
  return line.replace(escapes, (found) => (kept.test(found) ? found : '\u{fffd}'));
}
