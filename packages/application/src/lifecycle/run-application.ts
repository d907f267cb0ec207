import { executionAsyncResource } from 'node:async_hooks';
import { helpText } from '../configuration/named-settings.ts';
import { errorMessage, hasJigCode } from '../errors.ts';
import { Application } from './application.ts';
import type { ApplicationOptions } from './parts.ts';
import { type LoadedParts, loadParts } from './parts.ts';

/** What asks the process to stop; the last comes when its terminal is closed. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A terminal and npm both pass on the same Ctrl-C; only a signal that comes later than this is a second one. */
const sameSignal = 500;

/** Runs an application as this process: from the command line to the exit code. */
export async function runApplication(options: ApplicationOptions): Promise<void> {
  keepTickShape();
  // Those who print to a terminal or a pipe that has gone need not stop for it.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
  let isVerbose = (options.flags ?? process.argv).includes('--verbose');
  let parts: LoadedParts | undefined;
  try {
    parts = await loadParts(options);
    isVerbose = parts.commandLine.verbose;
    if (parts.commandLine.help) process.stdout.write(helpText(options.name, parts.schema));
    else if (parts.commandLine.version) process.stdout.write(`${options.version}\n`);
    else await run(options, parts);
  } catch (error) {
    const sentence = `${options.name} could not start: ${errorMessage(error)}${codeOf(error)}\n`;
    const details = isVerbose && error instanceof Error ? `${error.stack}\n${causesOf(error)}` : '';
    process.stderr.write(parts?.secrets.mask(sentence + details) ?? sentence + details);
    process.exit(1);
  }
}

async function run(options: ApplicationOptions, parts: LoadedParts): Promise<void> {
  const application = await Application.assemble(options, parts);
  let exitCode = 0;
  let stoppingSince: number | undefined;
  const stop = async (why: string, code: number) => {
    exitCode = Math.max(exitCode, code);
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince < sameSignal) return;
      application.log.warn(`${why} again: ending at once`);
      process.exit(1);
    }
    stoppingSince = performance.now();
    application.log.info(`${why}: stopping`);
    setTimeout(() => {
      application.log.fatal('stopping took too long: ending at once');
      process.exit(1);
    }, application.longestStop);
    const isClean = await application.stop();
    process.exit(isClean ? exitCode : 1);
  };
  const stopLogging = (why: string, code: number) => {
    stop(why, code).catch((error) => {
      application.log.fatal({ err: error }, 'could not stop properly');
      process.exit(1);
    });
  };
  for (const signal of signals) process.on(signal, () => stopLogging(signal, 0));
  process.on('uncaughtException', (error, origin) => {
    application.log.fatal(
      { err: error },
      origin === 'unhandledRejection' ? 'unhandled rejection' : 'uncaught exception',
    );
    exitCode = 1;
    if (stoppingSince === undefined) stopLogging('fatal error', 1);
  });
  try {
    await application.start();
  } catch (error) {
    // A stop that called the start off goes on, and ends the process when it is done.
    if (stoppingSince === undefined) throw error;
    application.log.debug({ err: error }, 'the start was called off');
  }
}

/** Where `docs/errors.md` explains it: the code of the innermost error of ours, which knows best. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return codeOf(error.cause) || (hasJigCode(error) ? ` [${error.code}]` : '');
}

function causesOf(error: Error): string {
  return error.cause instanceof Error ? `caused by ${error.cause.stack}\n${causesOf(error.cause)}` : '';
}

const kept: object[] = [];

/**
 * Keeps one of the objects that Node makes for every `process.nextTick`. V8 forgets the shape of objects of which a full
 * collection finds none; made anew, it is a different one to code compiled before, which takes a slow way from then on:
 * 0.45 µs for a tick instead of 0.07, on Node 20 and 26, and a request takes about eight of them.
 */
function keepTickShape(): void {
  process.nextTick(() => kept.push(executionAsyncResource()));
}
