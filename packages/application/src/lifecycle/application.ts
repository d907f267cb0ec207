import type { Logger } from 'pino';
import { type StartedBeans, startBeans } from '../beans/start-beans.ts';
import { hostError } from '../errors.ts';
import { prepareHome } from '../files.ts';
import { AllowedMethods } from '../http/allowed-methods.ts';
import { hostDescription } from '../http/api-description.ts';
import { closeServer, createServer, listen } from '../http/server.ts';
import { ApplicationBuilder, type BuildContext } from './application-builder.ts';
import { defineHostBeans, hostOwner, registerRoutes } from './built-in.ts';
import { createLog } from './create-log.ts';
import { setUpSessions } from './host-sessions.ts';
import { hostSettings } from './host-settings.ts';
import type { ApplicationOptions } from './parts.ts';
import { type LoadedParts, loadParts, registerParts } from './parts.ts';

/** An assembled application: everything is defined, and nothing is created or started before `start`. */
export class Application {
  readonly log: Logger;
  readonly #builder: ApplicationBuilder;
  readonly #startAbort = new AbortController();
  #starting: Promise<string> | undefined;
  #beans: StartedBeans | undefined;
  #stopping: Promise<boolean> | undefined;

  private constructor(builder: ApplicationBuilder) {
    this.log = builder.context.log;
    this.#builder = builder;
  }

  /** Reads the configuration, finds the add-ons, and lets every part register. */
  static async assemble(options: ApplicationOptions, loaded?: LoadedParts): Promise<Application> {
    const parts = loaded ?? (await loadParts(options));
    const builder = new ApplicationBuilder(await createContext(options, parts));
    defineHostBeans(builder);
    builder.addDescription(hostOwner, hostDescription);
    await registerParts(builder, options.features, parts);
    await setUpSessions(builder);
    await registerRoutes(builder);
    logParts(builder, parts);
    return new Application(builder);
  }

  /** The time after which a stop has failed, in milliseconds. */
  get longestStop(): number {
    return 2 * this.#builder.context.settings.stopTimeout;
  }

  /** Starts the beans, then listens; returns the address. */
  start(): Promise<string> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /** Stops listening, finishes requests in flight, stops the beans. Returns whether all beans stopped without an error. */
  stop(): Promise<boolean> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #start(): Promise<string> {
    const { settings, configuration, server } = this.#builder.context;
    const onTimeout = (sentence: string) => this.log.warn(sentence);
    this.#beans = await startBeans(this.#builder.registry, { ...settings, onTimeout }, this.#startAbort.signal);
    this.#startAbort.signal.throwIfAborted();
    const address = configuration.section('server', hostSettings.server);
    try {
      return await listen(server, address, (url) => this.#listeningLine(url));
    } catch (error) {
      await this.#beans.stop();
      throw error;
    }
  }

  #listeningLine(address: string): string {
    const { hostname } = new URL(address);
    const links = this.#builder.links.filter(({ opensAt }) => opensAt === undefined || opensAt(hostname));
    return `listening on ${address} (open ${['/', ...links.map(({ path }) => path)].join(', ')})`;
  }

  async #stop(): Promise<boolean> {
    const { info, settings, server } = this.#builder.context;
    const sentence = `${info.name} was asked to stop while it was starting.`;
    this.#startAbort.abort(hostError('JIG_START_CALLED_OFF', sentence));
    await this.#starting?.catch(() => {});
    await closeServer(server, settings.stopTimeout / 2);
    const failures = (await this.#beans?.stop()) ?? [];
    for (const failure of failures) this.log.error({ err: failure }, failure.message);
    this.log.info('stopped');
    return failures.length === 0;
  }
}

async function createContext(options: ApplicationOptions, parts: LoadedParts): Promise<BuildContext> {
  const { name, description, version, workingDirectory = process.cwd() } = options;
  const { secrets } = parts;
  const configuration = parts.configuration();
  for (const secret of configuration.secrets()) secrets.add(secret);
  const settings = configuration.section('application', hostSettings.application);
  const log = await createLog({ ...configuration.section('log', hostSettings.log), name }, secrets);
  const home = await prepareHome(workingDirectory, settings.home);
  const serverSettings = configuration.section('server', hostSettings.server);
  const allowedMethods = new AllowedMethods(serverSettings.headersLimit);
  const server = createServer(serverSettings, log, allowedMethods);
  const info = { name, description, version, licence: parts.manifest.licence };
  return { info, configuration, settings, workingDirectory, home, log, secrets, server, allowedMethods };
}

/** Says which parts are on, and what the configuration excludes or needs that is not there. */
function logParts({ context: { log }, registry, addOns, leftOut }: ApplicationBuilder, parts: LoadedParts): void {
  if (parts.notInstalled.length > 0)
    log.info(`these dependencies are not installed, so none of them is an add-on: ${parts.notInstalled.join(', ')}`);
  for (const name of parts.unknown) log.warn(`addOns.exclude names ${name}, which is no add-on of this application`);
  for (const name of registry.unknownExclusions)
    log.warn(`beans.exclude names ${name}, which is no bean of this application`);
  for (const sentence of leftOut) log.info(sentence);
  for (const { name, state, because } of addOns.found) log.info(`add-on ${name} is ${state}: ${because}`);
}
