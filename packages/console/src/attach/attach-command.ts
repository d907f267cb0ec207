import { createInterface } from 'node:readline/promises';
import { startPage, stopSignal } from '../pages/page-command.ts';
import type { ProcessFacts } from '../processes/process-facts.ts';
import { attach, checkAttachable, ended } from './attach.ts';

/** `jig attach` */
export async function attachTo(pid: number, port: number, isConfirmed: boolean): Promise<number> {
  if (!isConfirmed) await confirmAttach(await checkAttachable(pid));
  const stopped = stopSignal();
  const abort = new AbortController();
  void stopped.then(() => abort.abort());
  const { debuggerMs } = await attach(pid, abort.signal);
  const open = debuggerMs === undefined ? '' : `, whose debugger was open for ${Math.round(debuggerMs)} ms`;
  console.log(`Attached to process ${pid}${open}.`);
  const { address, server } = await startPage(port);
  console.log(`Open its beans on this page: ${address}`);
  console.log('Ctrl-C detaches. Whoever has this token sees what it holds; the next start has another.');
  const detached = ended(pid).then(() => 'It has ended, or Jig was detached.');
  console.log(await Promise.race([stopped.then(() => 'Detached.'), detached]));
  server.close();
  return 0;
}

/** Asks for confirmation unless NODE_ENV says development or test; refuses in production and without a terminal. */
async function confirmAttach({ pid, environment: { NODE_ENV } }: ProcessFacts): Promise<void> {
  if (NODE_ENV === 'production')
    throw new Error('It runs with NODE_ENV=production, and attaching is for development. --yes attaches all the same.');
  if (NODE_ENV === 'development' || NODE_ENV === 'test') return;
  const question =
    'Attaching is for development: it stops for up to 0.1 s, its debugger is open for a moment, and Node writes three lines to its error output.';
  if (!process.stdin.isTTY) throw new Error(`${question} Nobody can be asked here; --yes attaches.`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} Attach to ${pid}? [y/N] `);
  terminal.close();
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new Error('Not attached.');
}
