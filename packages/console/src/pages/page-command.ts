import { ownCommand } from '../own-command.ts';
import { ConsoleServer } from './console-server.ts';

/** Resolves when this process gets a signal to end. */
export const stopSignal = () =>
  new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });

/** `jig page` */
export async function showPage(port: number): Promise<number> {
  const stopped = stopSignal();
  const { address, server } = await startPage(port);
  console.log(`Your Node processes: ${address}`);
  console.log('Whoever has this token sees what your applications hold; the next start has another. Ctrl-C ends it.');
  await stopped;
  server.close();
  return 0;
}

export async function startPage(port: number) {
  const server = new ConsoleServer(`claude mcp add jig -- ${ownCommand()} mcp`);
  const address = await server.listen(port).catch((error: NodeJS.ErrnoException) => {
    const problem = { EADDRINUSE: 'is in use', EACCES: 'is not open to you' }[error.code ?? ''];
    if (problem === undefined) throw error;
    throw new Error(`Port ${port} ${problem}. Name another one by --port, or none.`);
  });
  return { address, server };
}
