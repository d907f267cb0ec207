import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { ownCommand } from '../own-command.ts';

const preload = import.meta.resolve('@jig/console/run');

/** `jig run`: node with the rest of the command line, so that the application and its child processes can be inspected. */
export async function runNode(args: readonly string[], isQuiet: boolean): Promise<number> {
  // For a process that something else starts: the URL works from every folder, the package name does not.
  if (args.length === 0) {
    console.log(`NODE_OPTIONS="--import ${preload}"`);
    return 0;
  }
  const { NODE_OPTIONS = '' } = process.env;
  const env = { ...process.env, NODE_OPTIONS: `${NODE_OPTIONS} --import ${preload}`.trim() };
  const child = spawn(process.execPath, args, { stdio: 'inherit', env });
  if (process.stderr.isTTY && !isQuiet)
    console.error(`jig: to look into process ${child.pid}, run in another terminal: ${ownCommand()}`);
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  // A terminal sends SIGINT to both processes.
  const ignore = () => {};
  process
    .on('SIGTERM', forward)
    .on('SIGHUP', forward)
    .on('SIGINT', process.stdin.isTTY ? ignore : forward);
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + constants.signals[signal as NodeJS.Signals];
}
