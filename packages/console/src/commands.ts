import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** One command of `jig`. What it needs is loaded when it runs. */
interface Command {
  /** Its arguments, for `jig --help`; without, it takes none. */
  readonly takes?: string;
  /** What it does, for `jig --help`. */
  readonly summary: string;
  /** Its options with their descriptions; one with a value is written as `port <number>`. */
  readonly options?: Readonly<Record<string, string>>;
  /** Resolves to the exit code. */
  run(args: readonly string[], flags: Flags): Promise<number>;
}

type Flags = Readonly<Record<string, string | boolean | undefined>>;

/** The default command is `page`. */
const commands: Readonly<Record<string, Command>> = {
  page: {
    summary: 'a page of your Node processes and their beans, until Ctrl-C',
    options: { 'port <number>': 'its port; one that is free by default' },
    run: async (_args, { port }) => (await import('./pages/page-command.ts')).showPage(parsePort(port)),
  },
  run: {
    takes: '[file …]',
    summary:
      'runs node with what follows, so that its beans can be seen; without a file, prints the NODE_OPTIONS that do it',
    options: { quiet: 'does not say where to look' },
    run: async (args, { quiet }) => (await import('./run/run-command.ts')).runNode(args, quiet === true),
  },
  list: {
    summary: 'the processes, as text',
    options: { json: 'as JSON', beans: 'with the names of their beans' },
    run: async (_args, { json, beans }) => (await import('./list.ts')).printList(json === true, beans === true),
  },
  attach: {
    takes: '<pid>',
    summary: 'brings Jig into a process that runs, until Ctrl-C',
    options: { yes: 'does not ask', 'port <number>': 'the port of the page' },
    run: async (args, { yes, port }) =>
      (await import('./attach/attach-command.ts')).attachTo(parsePid(args), parsePort(port), yes === true),
  },
  detach: {
    takes: '<pid>',
    summary: 'makes Jig leave a process',
    run: async (args) => print(await (await import('./attach/attach.ts')).detach(parsePid(args))),
  },
  mcp: {
    summary: 'serves all applications to a coding agent, over stdio',
    run: async () => (await import('./mcp/stdio.ts')).serveAgent(version()),
  },
};

const line = (what: string, description: string) => `  ${what.padEnd(20)}${description}`;

const usage = () => `jig [command] [options]

Looks into the Node applications that you run on this machine. Without a
command, it is jig page.

${Object.entries(commands)
  .flatMap(([name, { takes = '', summary, options = {} }]) => [
    line(`jig ${name} ${takes}`, summary),
    ...Object.entries(options).map(([option, description]) => line(`  --${option}`, description)),
  ])
  .join('\n')}
  jig --help | --version`;

/** The command line is invalid; the exit code is 2. */
class UsageError extends Error {}

/** Runs a command line of `jig`; resolves to the exit code. */
export async function runCommand(argv: readonly string[]): Promise<number> {
  const [first = ''] = argv;
  const hasName = first !== '' && !first.startsWith('-');
  const name = hasName ? first : 'page';
  const rest = hasName ? argv.slice(1) : argv;
  try {
    if (first === '--version') return print(version());
    // What follows the options of `run` is for the program.
    const own = name === 'run' ? rest.slice(0, 1).filter((each) => /^(?:-h|--help|--quiet)$/.test(each)) : rest;
    if (own.some((each) => each === '--help' || each === '-h')) return print(usage());
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) throw new UsageError(`There is no command ${JSON.stringify(name)}.`);
    const { values, positionals } = parse(own, command);
    return await command.run(name === 'run' ? rest.slice(own.length) : positionals, values);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const message = error instanceof Error ? error.message : String(error);
    console.error(`jig: ${message}${isUsage ? ' jig --help lists what there is.' : ''}`);
    return isUsage ? 2 : 1;
  }
}

function print(text: string): number {
  console.log(text);
  return 0;
}

/** package.json is in the parent folder of both `src` and `dist`. */
function version(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

function parse(args: readonly string[], { options = {}, takes }: Command) {
  const names = Object.keys(options).map((each) => each.split(' '));
  const types = names.map(
    ([name = '', value]) => [name, { type: value === undefined ? 'boolean' : 'string' }] as const,
  );
  try {
    return parseArgs({ args: [...args], options: Object.fromEntries(types), allowPositionals: takes !== undefined });
  } catch (error) {
    // The rest of the message is about how to write an argument that looks like an option.
    throw new UsageError(`${(error as Error).message.split(/\.\n|\. To specify/)[0]}.`);
  }
}

/** The only argument of a command: a process id. */
function parsePid([given = '', ...others]: readonly string[]): number {
  const pid = /^\d{1,10}$/.test(given) ? Number(given) : 0;
  if (pid > 0 && others.length === 0) return pid;
  throw new UsageError('Name one process by its id, as jig list shows it.');
}

function parsePort(given: Flags[string] = '0'): number {
  const port = /^\d{1,5}$/.test(String(given)) ? Number(given) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError(`--port takes a number up to 65535, not ${JSON.stringify(given)}.`);
}
