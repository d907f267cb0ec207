import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import { DatabaseError, errorMessage, optionInvalid } from './errors.ts';
import { type RunningDatabase, startDatabase } from './start-database.ts';
import type { StartDatabaseOptions } from './start-options.ts';
import { forManyWorkers, runAddress, runVariable } from './test-run.ts';

/** For `parseArgs`, with what `--help` prints of each: its argument, and what it does. */
const options = {
  'engine-version': { type: 'string', value: '<number>', text: 'the version that must be there, such as 18' },
  programs: { type: 'string', value: '<folder>', text: 'where the programs of PostgreSQL are' },
  locale: { type: 'string', value: '<tag>', text: 'the language that texts are compared by, such as en-US' },
  keep: { type: 'string', value: '<folder>', text: 'keeps the data in this folder; it is temporary otherwise' },
  port: { type: 'string', value: '<number>', text: 'on the loopback address; any free port otherwise' },
  migrations: { type: 'string', value: '<path>', text: 'an SQL file or a folder of them, run before the command' },
  set: { type: 'string', value: '<name=value>', text: 'a setting of the server; can be repeated', multiple: true },
  seed: { type: 'string', value: '<path>', text: 'as --migrations, run after them' },
  user: { type: 'string', value: '<name>', text: 'the user of the address (default: jig)' },
  password: { type: 'string', value: '<text>', text: 'of the user; a random one otherwise' },
  database: { type: 'string', value: '<name>', text: 'the main database (default: jig)' },
  'run-as': { type: 'string', value: '<name>', text: 'as whom the server runs when you are root (default: nobody)' },
  verbose: { type: 'boolean', value: '', text: 'shows what the server prints' },
  help: { type: 'boolean', value: '', text: 'prints this text', short: 'h' },
} as const;

const lines = Object.entries(options).map(([name, { value, text }]) => `  ${`--${name} ${value}`.padEnd(27)}${text}`);

const usage = `jig-database [options] [-- command …]

Starts a database and runs the command with DATABASE_URL and the PG… variables set.
When the command ends, the database stops, and its exit code is passed on.
Without a command, the database runs until Ctrl-C.

${lines.join('\n')}`;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The exit codes of shells for a missing command and for wrong usage. */
const notFound = 127;
const wrongUsage = 2;

/** Runs the command line and returns the exit code. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const separator = args.indexOf('--');
  const ownArgs = separator === -1 ? args : args.slice(0, separator);
  const command = separator === -1 ? [] : args.slice(separator + 1);
  try {
    const options = parseOptions(ownArgs);
    if (options === 'help') {
      console.log(usage);
      return 0;
    }
    return await runWith(options, command);
  } catch (error) {
    console.error(`jig-database: ${errorMessage(error)}`);
    return error instanceof DatabaseError && error.code === 'JIG_DATABASE_OPTION_INVALID' ? wrongUsage : 1;
  }
}

function parseOptions(args: readonly string[]): StartDatabaseOptions | 'help' {
  const { help, set = [], keep, port, verbose, ...values } = parse(args);
  if (help) return 'help';
  const { 'engine-version': version, 'run-as': runAs, ...others } = values;
  return {
    ...others,
    version,
    runAs,
    folder: keep,
    port: port === undefined ? undefined : Number(port),
    log: verbose ? (line) => console.error(line) : undefined,
    settings: Object.fromEntries(set.map(parseSetting)),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    const { code } = error as { code?: string };
    const why =
      code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL'
        ? 'Write -- before the command to run.'
        : `${errorMessage(error).split('. To specify')[0]}.`;
    throw optionInvalid(`${why} jig-database --help lists the options.`);
  }
}

function parseSetting(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at <= 0) throw optionInvalid(`--set takes name=value, not ${JSON.stringify(text)}.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

async function runWith(options: StartDatabaseOptions, command: readonly string[]): Promise<number> {
  const stopRequest = new AbortController();
  let stoppedBy: NodeJS.Signals | undefined;
  let child: ChildProcess | undefined;
  const onSignal = (name: NodeJS.Signals) => {
    if (child !== undefined) {
      // At a terminal, Ctrl-C reaches the command by itself.
      if (name !== 'SIGINT' || !process.stdin.isTTY) child.kill(name);
      return;
    }
    // A second signal ends everything at once; the server's watchdog stops it and removes its folder.
    if (stoppedBy !== undefined) process.exit(exitCodeOf(name));
    stoppedBy = name;
    stopRequest.abort();
  };
  for (const name of signals) process.on(name, onSignal);
  try {
    const database = await startDatabase({ ...forManyWorkers(options), signal: stopRequest.signal });
    const title = `${database.engine} ${database.version} is ready`;
    let code = 0;
    if (command.length === 0) {
      console.error(`${title}; Ctrl-C stops it`);
      console.log(database.url);
      const alive = setInterval(() => {}, 2 ** 30);
      if (!stopRequest.signal.aborted) await once(stopRequest.signal, 'abort');
      clearInterval(alive);
    } else {
      // Standard output is left to the command.
      console.error(`${title} at ${database.url}`);
      child = run(command, database);
      code = await waitForExit(child);
      child = undefined;
    }
    await database.stop();
    return code;
  } catch (error) {
    if (stoppedBy === undefined) throw error;
    return exitCodeOf(stoppedBy);
  } finally {
    for (const name of signals) process.off(name, onSignal);
  }
}

const exitCodeOf = (signal: NodeJS.Signals) => 128 + (constants.signals[signal] ?? 0);

function run([program = '', ...args]: readonly string[], database: RunningDatabase): ChildProcess {
  // The runner of node:test finds the server by this variable.
  const forRunners = { [runVariable]: runAddress(database, 'file', 'command') };
  const env = { ...process.env, ...database.environment, ...forRunners };
  return spawn(program, args, { stdio: 'inherit', env });
}

function waitForExit(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`jig-database: ${child.spawnfile} cannot be run: ${error.message}`);
      resolve(notFound);
    });
    child.on('exit', (code, signal) => resolve(code ?? exitCodeOf(signal ?? 'SIGKILL')));
  });
}
