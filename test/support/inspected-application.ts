import { afterAll, afterEach, beforeAll } from 'vitest';
import { request } from './exchange.ts';
import { type MadeApplication, makeApplication } from './make-application.ts';
import { type EndedService, type RunningService, runService, startService } from './start-service.ts';

/** Addresses below `/jig/bean`, also unknown ones and other spellings, which access rules have to cover all. */
export const beanPaths = [
  '/jig/bean',
  '/jig/bean.xml',
  '/jig/bean/process.json',
  '/jig/bean/nothing.xml',
  '/jig/bean/process',
  '/jig/bean/%70rocess.json',
  '/jig/bean/process.json/',
];

/** The statuses of all these addresses, each once. */
export async function beanStatuses(url: string, headers: Record<string, string> = {}): Promise<Set<number>> {
  const answers = await Promise.all(beanPaths.map((path) => request(url, `GET ${path}`, headers)));
  return new Set(answers.map(({ status }) => status));
}

export interface InspectedApplication {
  /** Starts it in a process of its own, which ends with the test. */
  readonly start: (environment?: NodeJS.ProcessEnv) => Promise<RunningService>;
  /** Starts it where the start is expected to fail. */
  readonly run: (environment: NodeJS.ProcessEnv) => Promise<EndedService>;
}

/** For a test file: an application with bean inspection and nothing else. */
export function useInspectedApplication(): InspectedApplication {
  let application: MadeApplication;
  const running: RunningService[] = [];
  beforeAll(async () => {
    application = await makeApplication({ dependencies: ['@jig/bean-inspection'] });
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.stop()));
  });
  afterAll(() => application.remove());
  const options = (environment: NodeJS.ProcessEnv) => ({
    main: application.main,
    workingDirectory: application.folder,
    environment,
  });
  return {
    async start(environment = {}) {
      const service = await startService(options(environment));
      running.push(service);
      return service;
    },
    run: (environment) => runService(options(environment)),
  };
}
