import { createInterface } from 'node:readline/promises';
import { heapStopSeconds, oldSpaceOf } from '../agent/heap-cost.ts';
import { type Attachment, type AttachOptions, checkAttachable } from '../attach/attach.ts';
import { Attachments } from '../attach/attachments.ts';
import { ConsoleServer } from '../pages/console-server.ts';
import { linuxProcessesBelow } from '../processes/linux-processes.ts';
import { NodeProcesses } from '../processes/node-processes.ts';
import type { ProcessFacts } from '../processes/process-facts.ts';
import { parseFlags } from '../usage-error.ts';
import { agentCommand } from './agent-command.ts';
import { listen, parsePort, stopSignal } from './page.ts';
import { parsePid } from './process-id.ts';

export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseFlags(
    args,
    {
      tree: { type: 'boolean', default: false },
      heap: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      port: { type: 'string', default: '0' },
    },
    true,
  );
  const { tree, heap, yes } = values;
  const port = parsePort(values.port);
  const targets = await attachableIn(parsePid(positionals), tree);
  if (!yes) await askFor(targets, heap);
  const stopped = stopSignal();
  const abort = new AbortController();
  void stopped.then(() => abort.abort());
  const attachments = new Attachments();
  try {
    const attached = await attachAll(targets, attachments, { heap, signal: abort.signal });
    const server = new ConsoleServer({ processes: new NodeProcesses(), agentCommand: agentCommand(), attachments });
    console.log(`Its beans: ${await listen(server, port)}`);
    console.log('Ctrl-C detaches. Whoever has this token sees what it holds; the next start has another.');
    const left = Promise.all(attached.map((each) => each.ended)).then(() => 'It has ended, or Jig was detached.');
    console.log(await Promise.race([stopped.then(() => 'Detached.'), left]));
    server.close();
    return 0;
  } finally {
    await attachments.close();
  }
}

/** The processes to attach to, all checked before anything happens; those below that cannot be are told of. */
async function attachableIn(pid: number, tree: boolean): Promise<readonly ProcessFacts[]> {
  if (!tree) return [await checkAttachable(pid)];
  const found: ProcessFacts[] = [];
  for (const each of [pid, ...linuxProcessesBelow(pid).map((below) => below.pid)])
    await checkAttachable(each).then(
      (facts) => found.push(facts),
      (error: Error) => console.error(`jig: ${error.message}`),
    );
  if (found.length === 0) throw new Error(`None of process ${pid} and those below it can be attached to.`);
  return found;
}

/** Attaching is for development: asks where that is not known, and refuses where nobody can be asked. */
async function askFor(targets: readonly ProcessFacts[], heap: boolean): Promise<void> {
  const environments = targets.map(({ environment }) => environment.NODE_ENV);
  if (environments.includes('production'))
    throw new Error('It runs with NODE_ENV=production, and attaching is for development. --yes attaches all the same.');
  const isDevelopment = environments.every((each) => each === 'development' || each === 'test');
  if (isDevelopment && !heap) return;
  const oldSpace = targets.reduce((sum, { memory }) => sum + oldSpaceOf(memory), 0);
  const cost = heap
    ? `all of its memory is searched, for which it stops for up to ${heapStopSeconds(oldSpace)} s in all`
    : 'it stops for up to 0.1 s, its debugger is open for a moment, and Node writes three lines to its error output';
  const question = `Attaching is for development: ${cost}.`;
  if (!process.stdin.isTTY) throw new Error(`${question} Nobody can be asked here; --yes attaches.`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} Attach to ${targets.map(({ pid }) => pid).join(', ')}? [y/N] `);
  terminal.close();
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new Error('Not attached.');
}

/**
 * One after the other: their inspectors open on the same port. Those below come first: the primary of a cluster passes the signal on, and
 * an inspector that we close for that would not open for us in the next moment.
 */
async function attachAll(
  targets: readonly ProcessFacts[],
  attachments: Attachments,
  options: AttachOptions,
): Promise<readonly Attachment[]> {
  const attached: Attachment[] = [];
  const [first] = targets;
  for (const { pid } of targets.toReversed()) {
    try {
      const made = await attachments.attach(pid, options);
      attached.push(made);
      console.log(describe(made));
    } catch (error) {
      if (pid === first?.pid || options.signal?.aborted === true) throw error;
      console.error(`jig: ${(error as Error).message}`);
    }
  }
  return attached;
}

function describe({ pid, inspectorMs, longestMs }: Attachment): string {
  const open = inspectorMs === undefined ? '' : `its debugger was open for ${Math.round(inspectorMs)} ms, `;
  return `Attached to process ${pid}: ${open}the search stopped it for ${Math.round(longestMs)} ms at most.`;
}
