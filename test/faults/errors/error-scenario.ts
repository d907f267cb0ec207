import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Feature, SingletonDefinition } from '@jig/application';
import { expect } from 'vitest';
import {
  failInProcess,
  type InProcessOptions,
  type InProcessService,
  startInProcess,
} from '../../support/in-process.ts';
import { type ApplicationParts, makeApplication } from '../../support/make-application.ts';
import { type RunningService, runService, type ServiceOptions, startService } from '../../support/start-service.ts';

/** What a person gets to see of an error, on standard error or in the log, and the code that is shown with it. */
export interface Seen {
  readonly text: string;
  readonly code: string | undefined;
}

/** An application to start, in a process of its own or in this one. */
type MadeOptions = Pick<ServiceOptions, 'main' | 'workingDirectory'>;

type Logging = Pick<RunningService, 'url' | 'output' | 'printed'>;

interface LogLine {
  readonly msg: string;
  readonly err?: { readonly message: string; readonly code?: string };
  readonly facts?: { readonly code?: string };
}

const prefix = join(tmpdir(), 'jig-error-');

/** Where a scenario runs: a folder, applications and services, all removed afterwards. */
export class Sandbox {
  readonly folder: string;
  /** Skips the scenario where this machine cannot cause the error. */
  readonly skip: (reason: string) => never;
  readonly #endings: (() => Promise<unknown>)[] = [];

  private constructor(folder: string, skip: (reason: string) => never) {
    this.folder = folder;
    this.skip = skip;
  }

  static async open(skip: (reason: string) => never): Promise<Sandbox> {
    const folder = await mkdtemp(prefix);
    // The user that runs the database passes through it.
    await chmod(folder, 0o755);
    return new Sandbox(folder, skip);
  }

  /** Whether a path is in a sandbox. */
  static has(path: string): boolean {
    return path.startsWith(prefix);
  }

  async close(): Promise<void> {
    for (const end of this.#endings.reverse()) await end();
    // A server whose application was just killed is still writing its last.
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  /** Does this at the end, the last first. */
  finally(end: () => Promise<unknown>): void {
    this.#endings.push(end);
  }

  get home(): string {
    return join(this.folder, 'home');
  }

  async write(path: string, text: string | Buffer, mode = 0o644): Promise<string> {
    const file = join(this.folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { mode });
    return file;
  }

  /** Starts an application in this process. */
  async startInProcess(options: InProcessOptions): Promise<InProcessService> {
    const service = await startInProcess({ home: this.home, ...options });
    this.finally(() => service.stop());
    return service;
  }

  /** A start in this process that fails, and the sentence that its process would print. */
  async failedStart(options: InProcessOptions): Promise<Seen> {
    const { stderr } = await failInProcess({ home: this.home, ...options });
    return seenIn(stderr.slice(0, -1));
  }

  /** A start in this process, with a feature whose `register` is this, that fails. */
  async failedFeature(register: Feature['register'], flags: readonly string[] = []): Promise<Seen> {
    const features = [{ name: 'clumsy', register }];
    return this.failedStart({ ...(await this.application({})), application: { features }, flags });
  }

  /** A start in this process, with a bean that has something to start, that fails. */
  failedBean(definition: Partial<SingletonDefinition<unknown>>, flags: readonly string[] = []): Promise<Seen> {
    const whole = { type: 'Clumsy', create: () => ({}), start() {}, ...definition };
    return this.failedFeature((host) => host.define('clumsy', whole), flags);
  }

  /** An application, as options for its start, in a process of its own or in this one. */
  async application(parts: ApplicationParts): Promise<MadeOptions> {
    const { main, folder, remove } = await makeApplication(parts);
    this.finally(remove);
    return { main, workingDirectory: folder };
  }

  /** The same with a feature whose `register(host)` is this. */
  feature(register: string, dependencies: readonly string[] = []): Promise<MadeOptions> {
    return this.application({ features: `[{ name: 'clumsy', async register(host) { ${register} } }]`, dependencies });
  }

  /** The same with a bean that has something to start. */
  bean(definition: string): Promise<MadeOptions> {
    return this.feature(`host.define('clumsy', { type: 'Clumsy', create: () => ({}), start() {}, ${definition} });`);
  }

  async start(options: ServiceOptions): Promise<RunningService> {
    const service = await startService({ home: this.home, ...options });
    this.finally(() => service.stop('SIGKILL'));
    return service;
  }

  /** A process that fails to start as every one must: exit code 1 and one line, which ends with the code. */
  async failedProcess(options: ServiceOptions): Promise<Seen> {
    const { exitCode, stderr } = await runService({ home: this.home, ...options });
    expect({ exitCode, lines: stderr.trim().split('\n').length }, stderr).toEqual({ exitCode: 1, lines: 1 });
    return seenIn(stderr.slice(0, -1));
  }

  /** A start that was aborted: exit code 0, nothing on standard error, and one line in the log at level debug. */
  async abortedStart({ flags = [], ...options }: ServiceOptions): Promise<Seen> {
    const asked = { home: this.home, ...options, flags: [...flags, '--log.level=debug'] };
    const { exitCode, stdout, stderr } = await runService(asked);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const line = linesOf(stdout).find(({ msg }) => msg === 'the start was aborted');
    return { text: line?.err?.message ?? '', code: line?.err?.code };
  }

  /** Asks for something that fails; the answer tells nothing of the inside, the log everything. */
  async failedRequest(service: Logging, path: string, code: string): Promise<Seen> {
    const answer = await fetch(service.url + path);
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ detail: 'Something went wrong on our side; it has been logged.' });
    return this.logged(service, code);
  }

  /** A request that meets something which may pass; the log tells of it when it is asked for details. */
  async postponedRequest(service: Logging, path: string, code: string): Promise<Seen> {
    const answer = await fetch(service.url + path);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    return this.logged(service, code);
  }

  /** The line of the log that shows the code. */
  async logged(service: Logging, code: string): Promise<Seen> {
    await service.printed(new RegExp(`"code":"${code}".*\\n`));
    const line = linesOf(service.output()).find(({ err, facts }) => err?.code === code || facts?.code === code);
    return { text: `${line?.msg} ${line?.err?.message ?? ''}`, code: line?.err?.code ?? line?.facts?.code };
  }
}

/** What a process that could not start says. */
function seenIn(sentence: string): Seen {
  const [, text = '', code] = /^\w+ could not start: (.*?)(?: \[([A-Z_]+)\])?$/s.exec(sentence) ?? [];
  return { text, code };
}

/** The last piece may be half a line. */
const linesOf = (output: string) =>
  output
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);

const sharedSandboxes: Promise<Sandbox>[] = [];

/** What several scenarios need, made when the first of them asks, in a sandbox that `closeShared` closes. */
export function shared<Made>(make: (sandbox: Sandbox) => Promise<Made>): (sandbox: Sandbox) => Promise<Made> {
  let made: Promise<Made> | undefined;
  return ({ skip }) => {
    if (made === undefined) {
      const opened = Sandbox.open(skip);
      sharedSandboxes.push(opened);
      made = opened.then(make);
    }
    return made;
  };
}

/** For the end of a test file. */
export async function closeShared(): Promise<void> {
  for (const sandbox of sharedSandboxes.splice(0)) await (await sandbox).close();
}

/** How an error is caused, and what its message must say. */
export interface ErrorScenario {
  /** Distinguishes several causes of the same error. */
  readonly title?: string;
  /** What was wrong. */
  readonly names: RegExp;
  /** What to do; left out where there is nothing to be done. */
  readonly advises?: RegExp;
  /** Only root can cause it. */
  readonly asRoot?: boolean;
  run(sandbox: Sandbox): Promise<Seen>;
}
