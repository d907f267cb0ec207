import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Application, createApplication } from './application/application.ts';
import type { ApplicationOptions, SettingsOfSections } from './application/options.ts';

/** What to start: features and add-ons, fakes in place of beans, settings. Nothing is read from the environment or the command line. */
export interface TestOptions
  extends Pick<ApplicationOptions, 'features' | 'addOns' | 'replace' | 'settings' | 'manifest' | 'logDestination'> {
  /** Whether to listen on a free port; otherwise, send requests with `inject`. */
  readonly listen?: boolean;
}

/** An application that is started; disposing of it stops it and removes its data folder. */
export interface TestApplication extends Application {
  /** Its address, without a slash at the end; only if it was started with `listen: true`. */
  readonly url: string;
  /** Its data folder. */
  readonly home: string;
}

/** Starts an application for a test: in this process, with a temporary data folder, in-memory sessions and a silent log. */
export async function startForTest(options: TestOptions = {}): Promise<TestApplication> {
  const { listen = false, settings = {}, ...parts } = options;
  const folder = await mkdtemp(join(tmpdir(), 'jig-test-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  let application: Application | undefined;
  try {
    application = await createApplication({
      name: 'Test',
      description: 'An application under test.',
      version: '0.0.0',
      ...parts,
      settings: merged(defaults, settings),
      flags: [],
      environment: {},
      workingDirectory: folder,
    });
    const address = listen ? await application.start() : undefined;
    await application.ready();
    const stopApplication = application.stop.bind(application);
    const stop = async () => {
      const isClean = await stopApplication();
      await remove();
      return isClean;
    };
    return Object.defineProperties(Object.assign(application, { home: folder }), {
      url: { get: () => address ?? notListening() },
      stop: { value: stop },
    }) as TestApplication;
  } catch (error) {
    await application?.stop();
    await remove();
    throw error;
  }
}

const defaults: SettingsOfSections = {
  application: { environment: 'test', home: '.' },
  log: { level: 'silent' },
  server: { port: 0 },
  sessions: { store: 'memory' },
};

function merged(one: SettingsOfSections, other: SettingsOfSections): SettingsOfSections {
  const sections = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...sections].map((section) => [section, { ...one[section], ...other[section] }]));
}

function notListening(): never {
  throw new TypeError('This application does not listen; start it with listen: true.');
}
