import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Application, type ApplicationOptions, createApplication } from '@jig/application';
import { startFailure } from '@jig/application/internal';
import { afterAll, beforeAll } from 'vitest';
import type { RunningService, ServiceOptions } from './start-service.ts';
import { waitUntilPrinted, withoutDatabase } from './start-service.ts';

const builtService = fileURLToPath(new URL('../../service/dist/main.js', import.meta.url));

/** The built service, unless `main` is another application. It sees only this environment. */
export interface InProcessOptions
  extends Pick<ServiceOptions, 'main' | 'flags' | 'environment' | 'home' | 'workingDirectory'> {
  /** Overrides options of the module `application.js` beside `main`. */
  readonly application?: Partial<ApplicationOptions>;
}

export interface InProcessService extends Pick<RunningService, 'url' | 'home' | 'output' | 'printed'> {
  readonly application: Application;
  /** Resolves to whether all beans stopped without an error. */
  stop(): Promise<boolean>;
}

interface Prepared {
  readonly options: ApplicationOptions;
  readonly home: string;
  readonly output: () => string;
  readonly remove: () => Promise<void>;
}

async function prepare({ main = builtService, flags = [], ...options }: InProcessOptions): Promise<Prepared> {
  const folder = await mkdtemp(join(tmpdir(), 'jig-service-'));
  const home = options.home ?? join(folder, 'home');
  let printed = '';
  // A test before this one may have removed a socket, after which Node 20 and 22 follow no link to a module until they read another file.
  statSync(folder);
  const module = (await import(pathToFileURL(join(dirname(main), 'application.js')).href)) as Record<
    'service' | 'application',
    ApplicationOptions
  >;
  return {
    options: {
      ...(module.application ?? module.service),
      ...options.application,
      flags,
      environment: { PORT: '0', JIG_HOME: home, ...options.environment },
      workingDirectory: options.workingDirectory ?? folder,
      logDestination: {
        write(line) {
          printed += line;
        },
      },
    },
    home,
    output: () => printed,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function start({ options, home, output, remove }: Prepared): Promise<InProcessService> {
  let application: Application | undefined;
  const stop = async () => {
    const isClean = await application?.stop();
    await remove();
    return isClean ?? true;
  };
  try {
    application = await createApplication(options);
    const url = await application.start();
    return { application, url, home, output, printed: (...wanted) => waitUntilPrinted(output, ...wanted), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Starts the service, or another application, in this process: a tenth of the work of a process of its own. For tests
 * that need no process of their own: no signal, exit code, `TZ`, memory or flag of Node.
 */
export async function startInProcess(options: InProcessOptions = {}): Promise<InProcessService> {
  return start(await prepare(options));
}

export interface FailedStart {
  /** What the process would print at its end. */
  readonly stderr: string;
  /** The log. */
  readonly stdout: string;
}

/** Starts an application in this process, and expects the start to fail. */
export async function failInProcess(options: InProcessOptions = {}): Promise<FailedStart> {
  const prepared = await prepare(options);
  let service: InProcessService;
  try {
    service = await start(prepared);
  } catch (error) {
    return { stderr: `${startFailure(prepared.options.name, error)}\n`, stdout: prepared.output() };
  }
  await service.stop();
  throw new Error('The application started.');
}

/** For a test file: the service, without its database, in this process; its members exist once the tests run. */
export function useService(environment: NodeJS.ProcessEnv = {}): InProcessService {
  let service: InProcessService;
  beforeAll(async () => {
    service = await startInProcess({ environment: { ...withoutDatabase, ...environment } });
  });
  afterAll(() => service?.stop());
  return {
    get application() {
      return service.application;
    },
    get url() {
      return service.url;
    },
    get home() {
      return service.home;
    },
    output: () => service.output(),
    printed: (pattern, milliseconds) => service.printed(pattern, milliseconds),
    stop: () => service.stop(),
  };
}
