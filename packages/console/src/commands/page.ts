import { Attachments } from '../attach/attachments.ts';
import { ConsoleServer } from '../pages/console-server.ts';
import { parseFlags, UsageError } from '../usage-error.ts';
import { agentCommand } from './agent-command.ts';

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseFlags(args, { port: { type: 'string', default: '0' } });
  const port = parsePort(values.port);
  const attachments = new Attachments();
  const server = new ConsoleServer({ agentCommand: agentCommand(), attachments });
  const stopped = stopSignal();
  console.log(`Your Node processes: ${await listen(server, port)}`);
  console.log('Whoever has this token sees what your applications hold; the next start has another. Ctrl-C ends it.');
  await stopped;
  server.close();
  attachments.close();
  return 0;
}

/** Resolves when this process is told to end. */
export const stopSignal = () =>
  new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });

export function parsePort(given: string): number {
  const port = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError(`--port takes a number up to 65535, not ${JSON.stringify(given)}.`);
}

export async function listen(server: ConsoleServer, port: number): Promise<string> {
  try {
    return await server.listen(port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new Error(`Port ${port} is in use. Name another one by --port, or none.`);
    if (code === 'EACCES') throw new Error(`Port ${port} is not open to you. Name another one by --port, or none.`);
    throw error;
  }
}
