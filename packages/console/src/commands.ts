import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { ProcessFacts } from './processes/process-facts.ts';

/** One command of `jig`. Most of what it needs is loaded when it runs. */
interface Command {
  /** What can follow its name. */
  readonly takes: string;
  /** What it does, for `jig --help`. */
  readonly does: string;
  /** Its options, and what each says. */
  readonly options?: Readonly<Record<string, string>>;
  /** Gives the exit code. Throws a UsageError for what it does not understand. */
  run(args: readonly string[]): Promise<number>;
}

/** Without a name of a command, `page` runs. */
const commands: Readonly<Record<string, Command>> = {
  page: {
    takes: '',
    does: 'a page of your Node processes and their beans, until Ctrl-C',
    options: { '--port <number>': 'its port; one that is free by default' },
    run: showPage,
  },
  run: {
    takes: '[file …]',
    does: 'runs node with what follows, so that its beans can be seen; without a file, prints the NODE_OPTIONS that do it',
    options: { '--quiet': 'does not say where to look' },
    run: runNode,
  },
  list: {
    takes: '',
    does: 'the processes, as text',
    options: { '--json': 'as JSON', '--beans': 'with the names of their beans' },
    run: list,
  },
  attach: {
    takes: '<pid>',
    does: 'brings Jig into a process that runs, until Ctrl-C',
    options: { '--yes': 'does not ask', '--port <number>': 'the port of the page' },
    run: attach,
  },
  detach: { takes: '<pid>', does: 'makes Jig leave a process', run: detach },
  mcp: { takes: '', does: 'serves all applications to a coding agent, over stdio', run: serveAgent },
};

const line = (what: string, says: string) => `  ${what.padEnd(20)}${says}`;

const usage = () => `jig [command] [options]

Looks into the Node applications that you run on this machine. Without a
command, it is jig page.

${Object.entries(commands)
  .flatMap(([name, { takes, does, options = {} }]) => [
    line(`jig ${name} ${takes}`, does),
    ...Object.entries(options).map(([option, says]) => line(`  ${option}`, says)),
  ])
  .join('\n')}
  jig --help | --version`;

/** What was typed cannot be understood; the exit code is 2. */
class UsageError extends Error {}

/** Runs a command line of `jig`; gives the exit code. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const [first = ''] = args;
  const hasName = first !== '' && !first.startsWith('-');
  const name = hasName ? first : 'page';
  const rest = hasName ? args.slice(1) : args;
  try {
    if (first === '--version') return tell(version());
    // What follows a program is for the program.
    const own = name === 'run' ? rest.slice(0, 1) : rest;
    if (own.some((arg) => arg === '--help' || arg === '-h')) return tell(usage());
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) throw new UsageError(`There is no command ${JSON.stringify(name)}.`);
    return await command.run(rest);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const message = error instanceof Error ? error.message : String(error);
    console.error(`jig: ${message}${isUsage ? ' jig --help lists what there is.' : ''}`);
    return isUsage ? 2 : 1;
  }
}

function tell(text: string): number {
  console.log(text);
  return 0;
}

/** The manifest is one folder above the sources as well as above what is built of them. */
function version(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

/** The flags of a command, and what else stands on its line, where it takes that. */
function parseFlags<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  allowPositionals = false,
): ReturnType<typeof parseArgs<{ options: Options; allowPositionals: boolean }>> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals });
  } catch (error) {
    // The rest of the message is about how to write an argument that looks like an option.
    throw new UsageError(`${(error as Error).message.split(/\.\n|\. To specify/)[0]}.`);
  }
}

/** The one process that a command is for. */
function parsePid([given = '', ...others]: readonly string[]): number {
  const pid = /^\d{1,10}$/.test(given) ? Number(given) : 0;
  if (pid > 0 && others.length === 0) return pid;
  throw new UsageError('Name one process by its id, as jig list shows it.');
}

function parsePort(given: string): number {
  const port = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError(`--port takes a number up to 65535, not ${JSON.stringify(given)}.`);
}

const portFlag = { type: 'string', default: '0' } as const;

async function showPage(args: readonly string[]): Promise<number> {
  const port = parsePort(parseFlags(args, { port: portFlag }).values.port);
  const stopped = stopSignal();
  const page = await startPage(port);
  console.log(`Your Node processes: ${page.address}`);
  console.log('Whoever has this token sees what your applications hold; the next start has another. Ctrl-C ends it.');
  await stopped;
  page.close();
  return 0;
}

/** The server of the page, and what it attaches to. */
async function startPage(port: number) {
  const { Attachments } = await import('./attach/attach.ts');
  const { ConsoleServer } = await import('./pages/console-server.ts');
  const jig = await ownCommand();
  const attachments = new Attachments();
  const server = new ConsoleServer({ agentCommand: `claude mcp add jig -- ${jig} mcp`, attachments });
  const address = await server.listen(port).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw new Error(`Port ${port} is in use. Name another one by --port, or none.`);
    if (error.code === 'EACCES')
      throw new Error(`Port ${port} is not open to you. Name another one by --port, or none.`);
    throw error;
  });
  const close = () => {
    server.close();
    attachments.close();
  };
  return { address, close };
}

/** How to start this command again: by its path if the console is not installed. */
async function ownCommand(): Promise<string> {
  const { hasConsole } = await import('@jig/bean-inspection/internal');
  return hasConsole(process.cwd()) ? 'npx jig' : `node '${process.argv[1]}'`;
}

/** Resolves when this process gets a signal to end. */
const stopSignal = () =>
  new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });

const preload = new URL('run/run.js', import.meta.url).href;

/** Runs `node` with the rest of the command line, so that the application and its child processes can be inspected. */
async function runNode(args: readonly string[]): Promise<number> {
  const isQuiet = args[0] === '--quiet';
  const rest = isQuiet ? args.slice(1) : args;
  // For what something else starts: the address of the file works in every folder, where the name of the package does not.
  if (rest.length === 0) return tell(`NODE_OPTIONS="--import ${preload}"`);
  const { NODE_OPTIONS = '' } = process.env;
  const env = { ...process.env, NODE_OPTIONS: `${NODE_OPTIONS} --import ${preload}`.trim() };
  const jig = await ownCommand();
  const child = spawn(process.execPath, rest, { stdio: 'inherit', env });
  if (process.stderr.isTTY && !isQuiet)
    console.error(`jig: to look into process ${child.pid}, run in another terminal: ${jig}`);
  const passOn = (signal: NodeJS.Signals) => child.kill(signal);
  // A terminal sends Ctrl-C to both.
  const ignore = () => {};
  process
    .on('SIGTERM', passOn)
    .on('SIGHUP', passOn)
    .on('SIGINT', process.stdin.isTTY ? ignore : passOn);
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + constants.signals[signal as NodeJS.Signals];
}

async function list(args: readonly string[]): Promise<number> {
  const { values } = parseFlags(args, { json: { type: 'boolean' }, beans: { type: 'boolean' } });
  const { listAsJson, listAsText } = await import('./list.ts');
  const { listProcesses } = await import('./processes/node-processes.ts');
  const { processes, problem } = await listProcesses();
  console.log(await (values.json ? listAsJson : listAsText)(processes, values.beans));
  if (problem === undefined) return 0;
  console.error(`jig: ${problem} Only processes with Jig in them are listed.`);
  return 1;
}

async function attach(args: readonly string[]): Promise<number> {
  const flags = { yes: { type: 'boolean', default: false }, port: portFlag } as const;
  const { values, positionals } = parseFlags(args, flags, true);
  const port = parsePort(values.port);
  const pid = parsePid(positionals);
  const attaching = await import('./attach/attach.ts');
  if (!values.yes) await askFor(await attaching.checkAttachable(pid));
  const stopped = stopSignal();
  const abort = new AbortController();
  void stopped.then(() => abort.abort());
  const { debuggerMs, ended, release } = await attaching.attach(pid, abort.signal);
  try {
    const open = debuggerMs === undefined ? '' : `, whose debugger was open for ${Math.round(debuggerMs)} ms`;
    console.log(`Attached to process ${pid}${open}.`);
    const page = await startPage(port);
    console.log(`Open its beans on this page: ${page.address}`);
    console.log('Ctrl-C detaches. Whoever has this token sees what it holds; the next start has another.');
    const left = ended.then(() => 'It has ended, or Jig was detached.');
    console.log(await Promise.race([stopped.then(() => 'Detached.'), left]));
    page.close();
    return 0;
  } finally {
    release();
  }
}

/** Attaching is for development: asks if that is unknown, and refuses without a terminal. */
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

async function detach(args: readonly string[]): Promise<number> {
  const pid = parsePid(parseFlags(args, {}, true).positionals);
  const attaching = await import('./attach/attach.ts');
  return tell(await attaching.detach(pid));
}

async function serveAgent(args: readonly string[]): Promise<number> {
  parseFlags(args, {});
  const { consoleMcpServer } = await import('./mcp/console-tools.ts');
  const { serveStdio } = await import('./mcp/stdio.ts');
  await serveStdio(consoleMcpServer(version()), process.stdin, process.stdout);
  return 0;
}
