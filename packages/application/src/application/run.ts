import { helpText } from '../configuration/names.ts';
import { startFailure } from '../errors.ts';
import { assemble } from './application.ts';
import { type LoadedParts, loadParts } from './load-parts.ts';
import type { ApplicationOptions } from './options.ts';

/** The signals that stop the application; SIGHUP comes when its terminal is closed. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The terminal and npm both send a signal for one Ctrl-C; a signal within this time is not a second one. */
const duplicateSignalMs = 500;

/** Runs an application as this process: command line, signals, exit code. */
export async function runApplication(options: ApplicationOptions): Promise<void> {
  // A closed terminal or pipe must not end the process.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
  // Searched for as a plain word first: `loadParts` may reject the command line.
  let isVerbose = (options.flags ?? process.argv).includes('--verbose');
  let parts: LoadedParts | undefined;
  try {
    parts = await loadParts(options);
    isVerbose = parts.commandLine.verbose;
    if (parts.commandLine.help) process.stdout.write(helpText(options.name, parts.schema));
    else if (parts.commandLine.version) process.stdout.write(`${options.version}\n`);
    else await run(options, parts);
  } catch (error) {
    const sentence = `${startFailure(options.name, error)}\n`;
    const details = isVerbose && error instanceof Error ? `${error.stack}\n${causesOf(error)}` : '';
    process.stderr.write(parts?.secrets.mask(sentence + details) ?? sentence + details);
    process.exit(1);
  }
}

async function run(options: ApplicationOptions, parts: LoadedParts): Promise<void> {
  const application = await assemble(options, parts);
  let exitCode = 0;
  let stoppingSince: number | undefined;
  const stop = async (why: string, code: number) => {
    exitCode = Math.max(exitCode, code);
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince < duplicateSignalMs) return;
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
  const stopOrExit = (why: string, code: number) => {
    stop(why, code).catch((error) => {
      application.log.fatal({ err: error }, 'could not stop properly');
      process.exit(1);
    });
  };
  for (const signal of signals) process.on(signal, () => stopOrExit(signal, 0));
  process.on('uncaughtException', (error, origin) => {
    application.log.fatal(
      { err: error },
      origin === 'unhandledRejection' ? 'unhandled rejection' : 'uncaught exception',
    );
    if (stoppingSince === undefined) stopOrExit('fatal error', 1);
    else exitCode = 1;
  });
  try {
    await application.start();
  } catch (error) {
    // The stop that aborted the start is still running, and ends the process.
    if (stoppingSince === undefined) throw error;
    application.log.debug({ err: error }, 'the start was aborted');
  }
}

function causesOf(error: Error): string {
  return error.cause instanceof Error ? `caused by ${error.cause.stack}\n${causesOf(error.cause)}` : '';
}
