import { createInterface } from 'node:readline/promises';
import { checkAttachable } from '../attach/attach.ts';
import { Attachments } from '../attach/attachments.ts';
import { ConsoleServer } from '../pages/console-server.ts';
import type { ProcessFacts } from '../processes/process-facts.ts';
import { parseFlags } from '../usage-error.ts';
import { agentCommand } from './agent-command.ts';
import { listen, parsePort, stopSignal } from './page.ts';
import { parsePid } from './process-id.ts';

export async function run(args: readonly string[]): Promise<number> {
  const flags = { yes: { type: 'boolean', default: false }, port: { type: 'string', default: '0' } } as const;
  const { values, positionals } = parseFlags(args, flags, true);
  const port = parsePort(values.port);
  const pid = parsePid(positionals);
  if (!values.yes) await askFor(await checkAttachable(pid));
  const stopped = stopSignal();
  const abort = new AbortController();
  void stopped.then(() => abort.abort());
  const attachments = new Attachments();
  try {
    const { inspectorMs, longestMs, ended } = await attachments.attach(pid, { signal: abort.signal });
    const open = inspectorMs === undefined ? '' : `its debugger was open for ${Math.round(inspectorMs)} ms, `;
    console.log(`Attached to process ${pid}: ${open}the search stopped it for ${Math.round(longestMs)} ms at most.`);
    const server = new ConsoleServer({ agentCommand: agentCommand(), attachments });
    console.log(`Its beans: ${await listen(server, port)}`);
    console.log('Ctrl-C detaches. Whoever has this token sees what it holds; the next start has another.');
    const left = ended.then(() => 'It has ended, or Jig was detached.');
    console.log(await Promise.race([stopped.then(() => 'Detached.'), left]));
    server.close();
    return 0;
  } finally {
    attachments.close();
  }
}

/** Attaching is for development: asks where that is not known, and refuses where nobody can be asked. */
async function askFor({ pid, environment: { NODE_ENV } }: ProcessFacts): Promise<void> {
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
