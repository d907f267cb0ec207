import { afterAll, beforeAll } from 'vitest';
import { request } from './exchange.ts';
import { type FailedStart, failInProcess, type InProcessService, startInProcess } from './in-process.ts';
import { type MadeApplication, makeApplication } from './make-application.ts';

/** Addresses of bean inspection, also unknown ones and other spellings, which access rules have to cover all. */
export const beanPaths = [
  '/jig/bean',
  '/jig/bean.xml',
  '/jig/bean/process.json',
  '/jig/bean/nothing.xml',
  '/jig/bean/process',
  '/jig/bean/%70rocess.json',
  '/jig/bean/process.json/',
  '/jig/graph',
  '/jig/compare.json-patch',
];

/** The statuses of all these addresses, each once. */
export async function beanStatuses(url: string, headers: Record<string, string> = {}): Promise<Set<number>> {
  const answers = await Promise.all(beanPaths.map((path) => request(url, `GET ${path}`, headers)));
  return new Set(answers.map(({ status }) => status));
}

export interface InspectedApplication {
  /** Starts it in this process, until the end of the test file; for the same environment, only once. */
  readonly start: (environment?: NodeJS.ProcessEnv) => Promise<InProcessService>;
  /** Starts it where the start is expected to fail. */
  readonly fail: (environment: NodeJS.ProcessEnv) => Promise<FailedStart>;
}

/** For a test file: an application with bean inspection and nothing else. */
export function useInspectedApplication(): InspectedApplication {
  let application: MadeApplication;
  const running = new Map<string, Promise<InProcessService>>();
  beforeAll(async () => {
    application = await makeApplication({ dependencies: ['@jig/bean-inspection'] });
  });
  afterAll(async () => {
    const settled = await Promise.allSettled(running.values());
    const started = settled.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    await Promise.all(started.map((service) => service.stop()));
    await application.remove();
  });
  const options = (environment: NodeJS.ProcessEnv) => ({
    main: application.main,
    workingDirectory: application.folder,
    environment,
  });
  return {
    start(environment = {}) {
      const key = JSON.stringify(environment);
      const service = running.get(key) ?? startInProcess(options(environment));
      running.set(key, service);
      return service;
    },
    fail: (environment) => failInProcess(options(environment)),
  };
}
