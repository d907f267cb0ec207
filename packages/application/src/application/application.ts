import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Logger } from 'pino';
import type { BeanSource } from '../beans/definition.ts';
import { type StopBeans, startBeans } from '../beans/start.ts';
import { hostSettings } from '../configuration/host-settings.ts';
import { hostError } from '../errors.ts';
import { AllowedMethods } from '../http/not-found.ts';
import { ApiDescription } from '../http/openapi.ts';
import { closeServer, createServer, drainServer, listen, logRequests } from '../http/server.ts';
import { ApplicationBuilder, type BuildContext } from './build.ts';
import { prepareHome } from './data-folder.ts';
import { defineHostBeans } from './host-beans.ts';
import { type LoadedParts, loadParts } from './load-parts.ts';
import { createLog } from './log.ts';
import type { ApplicationOptions } from './options.ts';
import { registerParts, registerRoutes } from './register.ts';
import { setUpSessions } from './sessions.ts';

/** An assembled application: everything is defined, but nothing is started before `ready`, `inject` or `start`. */
export interface Application extends AsyncDisposable {
  readonly log: Logger;
  readonly beans: BeanSource;
  /** The Fastify instance, with the routes of all parts. */
  readonly server: FastifyInstance;
  /** How long a stop may take, in milliseconds. */
  readonly longestStop: number;
  /** Starts the beans and the plugins without listening. */
  ready(): Promise<void>;
  /** Answers a request without a socket, as in Fastify, after `ready`. */
  inject(request: InjectOptions | string): Promise<LightMyRequestResponse>;
  /** Starts the beans, then listens; returns the address. */
  start(): Promise<string>;
  /** After `application.drainDelay`, stops listening, finishes requests in flight, stops the beans. Returns whether all beans stopped without an error. */
  stop(): Promise<boolean>;
}

/** Assembles an application: reads the configuration, finds the add-ons, and lets every part register. */
export async function createApplication(options: ApplicationOptions): Promise<Application> {
  return assemble(options, await loadParts(options));
}

/** As `createApplication`, with the parts and the configuration already loaded. */
export async function assemble(options: ApplicationOptions, parts: LoadedParts): Promise<Application> {
  const builder = new ApplicationBuilder(await createContext(options, parts), options.replace);
  defineHostBeans(builder);
  await registerParts(builder, parts);
  await setUpSessions(builder);
  builder.checkNeeds();
  await registerRoutes(builder);
  logParts(builder, parts);
  return new AssembledApplication(builder);
}

class AssembledApplication implements Application {
  readonly log: Logger;
  readonly beans: BeanSource;
  readonly server: FastifyInstance;
  readonly #builder: ApplicationBuilder;
  readonly #startAbort = new AbortController();
  #beansStarting: Promise<void> | undefined;
  #starting: Promise<string> | undefined;
  #stopBeans: StopBeans | undefined;
  #stopping: Promise<boolean> | undefined;

  constructor(builder: ApplicationBuilder) {
    this.log = builder.context.log;
    this.beans = builder.registry;
    this.server = builder.context.server;
    this.#builder = builder;
  }

  get longestStop(): number {
    const { drainDelay, stopTimeout } = this.#builder.context.settings;
    return drainDelay + 2 * stopTimeout;
  }

  async ready(): Promise<void> {
    this.#beansStarting ??= this.#startBeans();
    await this.#beansStarting;
    await this.server.ready();
  }

  async inject(request: InjectOptions | string): Promise<LightMyRequestResponse> {
    await this.ready();
    return this.server.inject(request);
  }

  start(): Promise<string> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  stop(): Promise<boolean> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #startBeans(): Promise<void> {
    const { settings } = this.#builder.context;
    this.#stopBeans = await startBeans(this.#builder.registry, settings, this.#startAbort.signal);
    this.#startAbort.signal.throwIfAborted();
  }

  async #start(): Promise<string> {
    const address = this.#builder.context.configuration.section('server', hostSettings.server);
    try {
      await this.ready();
      return await listen(this.server, address, (url) => this.#listeningLine(url));
    } catch (error) {
      await this.#stopBeans?.();
      throw error;
    }
  }

  #listeningLine(address: string): string {
    const { hostname } = new URL(address);
    const links = this.#builder.links.filter(({ opensAt }) => opensAt === undefined || opensAt(hostname));
    return `listening on ${address} (open ${['/', ...links.map(({ path }) => path)].join(', ')})`;
  }

  async #stop(): Promise<boolean> {
    const { info, settings } = this.#builder.context;
    const sentence = `${info.name} was asked to stop while it was starting.`;
    this.#startAbort.abort(hostError('JIG_START_CALLED_OFF', sentence));
    await Promise.allSettled([this.#beansStarting, this.#starting]);
    await this.#drain();
    await closeServer(this.server, settings.stopTimeout / 2);
    const failures = (await this.#stopBeans?.()) ?? [];
    for (const failure of failures) this.log.error({ err: failure }, failure.message);
    this.log.info('stopped');
    return failures.length === 0;
  }

  /** Lets load balancers see the 503 of `/health` first; skipped if the server does not listen. */
  async #drain(): Promise<void> {
    const { drainDelay } = this.#builder.context.settings;
    if (drainDelay === 0 || !this.server.server.listening) return;
    this.log.info(`/health answers 503 for ${drainDelay} ms before the connections are closed`);
    this.#builder.isDraining = true;
    await drainServer(this.server, drainDelay);
  }
}

async function createContext(options: ApplicationOptions, parts: LoadedParts): Promise<BuildContext> {
  const { name, description, version, workingDirectory = process.cwd(), logDestination: destination } = options;
  const { secrets } = parts;
  const configuration = parts.configuration();
  for (const secret of configuration.secrets()) secrets.add(secret);
  const settings = configuration.section('application', hostSettings.application);
  const logSettings = configuration.section('log', hostSettings.log);
  const log = await createLog({ ...logSettings, name, destination }, secrets);
  const home = await prepareHome(workingDirectory, settings.home);
  const serverSettings = configuration.section('server', hostSettings.server);
  const allowedMethods = new AllowedMethods(serverSettings.headersLimit);
  const server = createServer(serverSettings, log, allowedMethods, settings.startTimeout);
  if (logSettings.requests) logRequests(server);
  const info = { name, description, version };
  const api = new ApiDescription({ title: name, description, version });
  api.watch(server);
  return { info, configuration, settings, workingDirectory, home, log, secrets, server, allowedMethods, api };
}

/** Logs which add-ons are on or off, and which exclusions have no effect. */
function logParts({ context: { log }, addOns }: ApplicationBuilder, parts: LoadedParts): void {
  for (const name of parts.unknownExclusions)
    log.warn(`addOns.exclude names ${name}, which is no add-on of this application`);
  for (const { name, state, because } of addOns.found) log.info(`add-on ${name} is ${state}: ${because}`);
}
