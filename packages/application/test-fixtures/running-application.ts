import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createApplication, type Feature } from '@jig/application';

export interface RunningApplication extends AsyncDisposable {
  /** Without a slash at the end. */
  readonly url: string;
}

/** Starts an application of these features in this process, on a free port of the loopback, with a data folder of its own. */
export async function startApplication(
  features: readonly Feature[],
  flags: readonly string[] = [],
  logLevel = 'silent',
): Promise<RunningApplication> {
  const folder = await mkdtemp(join(tmpdir(), 'jig-application-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await writeFile(join(folder, 'package.json'), '{}');
    const application = await createApplication({
      name: 'Made',
      description: 'Made for a test.',
      version: '1.2.3',
      manifest: pathToFileURL(join(folder, 'package.json')),
      features,
      flags: ['--home=data', `--log.level=${logLevel}`, '--port=0', ...flags],
      logDestination: { write: () => {} },
      environment: {},
      workingDirectory: folder,
    });
    const url = await application.start();
    return {
      url,
      async [Symbol.asyncDispose]() {
        await application.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
