import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { UsageError } from '../usage-error.ts';

const variables: Readonly<Record<string, readonly [name: string, value: string]>> = {
  '--libraries': ['JIG_LIBRARIES', '1'],
  '--heap': ['JIG_HEAP', '1'],
  '--no-heap': ['JIG_HEAP', '0'],
};
const preload = new URL('run/run.js', import.meta.url).href;

/** Runs `node` with what else stands on the line, so that the application and all below it can be looked at. */
export async function run(args: readonly string[]): Promise<number> {
  const first = args.findIndex((each) => !Object.hasOwn(variables, each));
  const rest = first < 0 ? [] : args.slice(first);
  if (rest.length === 0) throw new UsageError('jig run needs what to run, such as jig run app.js.');
  const { NODE_OPTIONS = '' } = process.env;
  const env = {
    ...process.env,
    NODE_OPTIONS: `${NODE_OPTIONS} --import ${preload}`.trim(),
    ...Object.fromEntries(args.slice(0, first).flatMap((flag) => [variables[flag] ?? []])),
  };
  const child = spawn(process.execPath, rest, { stdio: 'inherit', env });
  if (process.stderr.isTTY)
    console.error(`jig: runs as pid ${child.pid}; jig in another terminal shows what is in it.`);
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
