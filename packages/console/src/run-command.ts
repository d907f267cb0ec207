import { UsageError } from './usage-error.ts';
import { version } from './version.ts';

/** One command, in a module of its own, which is loaded when it is asked for. */
interface Command {
  /** What can follow its name. */
  readonly takes: string;
  /** What it does, for `jig --help`. */
  readonly does: string;
  /** Its options, and what each says. */
  readonly options?: Readonly<Record<string, string>>;
  /** Gives the exit code. Throws a UsageError for what it does not understand. */
  load(): Promise<{ run(args: readonly string[]): Promise<number> }>;
}

/** Without a name of a command, `page` runs. */
const commands: Readonly<Record<string, Command>> = {
  page: {
    takes: '',
    does: 'a page of your Node processes and their beans, until Ctrl-C',
    options: { '--port <number>': 'its port; one that is free by default' },
    load: () => import('./commands/page.ts'),
  },
  run: {
    takes: '[file …]',
    does: 'runs node with what follows, so that its beans can be seen; without a file, prints the NODE_OPTIONS that do it',
    options: { '--quiet': 'does not say where to look' },
    load: () => import('./commands/run.ts'),
  },
  list: {
    takes: '',
    does: 'the processes, as text',
    options: { '--json': 'as JSON', '--beans': 'with the names of their beans' },
    load: () => import('./commands/list.ts'),
  },
  attach: {
    takes: '<pid>',
    does: 'brings Jig into a process that runs, until Ctrl-C',
    options: {
      '--yes': 'does not ask',
      '--port <number>': 'the port of the page',
    },
    load: () => import('./commands/attach.ts'),
  },
  detach: {
    takes: '<pid>',
    does: 'makes Jig leave a process',
    load: () => import('./commands/detach.ts'),
  },
  mcp: {
    takes: '',
    does: 'serves all applications to a coding agent, over stdio',
    load: () => import('./commands/mcp.ts'),
  },
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

const wrongUsage = 2;

/** Runs a command line of `jig`; gives the exit code. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const [first = ''] = args;
  const hasName = first !== '' && !first.startsWith('-');
  const name = hasName ? first : 'page';
  const rest = hasName ? args.slice(1) : args;
  try {
    if (first === '--version') return tell(version);
    // What follows a program is for the program.
    const own = name === 'run' ? rest.slice(0, 1) : rest;
    if (own.some((arg) => arg === '--help' || arg === '-h')) return tell(usage());
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) throw new UsageError(`There is no command ${JSON.stringify(name)}.`);
    return await (await command.load()).run(rest);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const message = error instanceof Error ? error.message : String(error);
    console.error(`jig: ${message}${isUsage ? ' jig --help lists what there is.' : ''}`);
    return isUsage ? wrongUsage : 1;
  }
}

function tell(text: string): number {
  console.log(text);
  return 0;
}
