import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

const preload = new URL('run/run.js', import.meta.url).href;

/** Runs `node` with what else stands on the line, so that the application and all below it can be looked at. */
export async function run(args: readonly string[]): Promise<number> {
  const isQuiet = args[0] === '--quiet';
  const rest = isQuiet ? args.slice(1) : args;
  if (rest.length === 0) {
    // For what something else starts: the address of the file works in every folder, where the name of the package does not.
    console.log(`NODE_OPTIONS="--import ${preload}"`);
    return 0;
  }
  const { NODE_OPTIONS = '' } = process.env;
  const env = { ...process.env, NODE_OPTIONS: `${NODE_OPTIONS} --import ${preload}`.trim() };
  const child = spawn(process.execPath, rest, { stdio: 'inherit', env });
  if (process.stderr.isTTY && !isQuiet)
    console.error(`jig: process ${child.pid} can be looked into: run npx @jig/console in another terminal.`);
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
