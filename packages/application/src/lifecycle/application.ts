import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type StartedBeans, startBeans } from '../beans/start-beans.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { hostError } from '../errors.ts';
import { AllowedMethods } from '../http/allowed-methods.ts';
import { hostDescription } from '../http/api-description.ts';
import { closeServer, createServer, listen } from '../http/server.ts';
import { Assembly } from './assembly.ts';
import { createLog } from './create-log.ts';
import { prepareHome } from './data-home.ts';
import { defineHostBeans, hostOwner } from './host-beans.ts';
import { registerRoutes } from './host-routes.ts';
import { setUpSessions } from './host-sessions.ts';
import { hostSettings } from './host-settings.ts';
import type { ApplicationOptions } from './load-parts.ts';
import { type LoadedParts, loadParts } from './load-parts.ts';
import { registerParts } from './register-parts.ts';

/** A composed application: everything defined and nothing started, until `start`. */
export class Application {
  readonly log: Logger;
  readonly #options: ApplicationOptions;
  readonly #configuration: Configuration;
  readonly #assembly: Assembly;
  readonly #server: FastifyInstance;
  readonly #startAbort = new AbortController();
  #starting: Promise<string> | undefined;
  #beans: StartedBeans | undefined;
  #stopping: Promise<boolean> | undefined;

  private constructor(
    options: ApplicationOptions,
    configuration: Configuration,
    log: Logger,
    assembly: Assembly,
    server: FastifyInstance,
  ) {
    this.#options = options;
    this.#configuration = configuration;
    this.log = log;
    this.#assembly = assembly;
    this.#server = server;
  }

  /** Reads the configuration, finds the add-ons, and lets every part register its beans and routes. */
  static async assemble(options: ApplicationOptions, loaded?: LoadedParts): Promise<Application> {
    const parts = loaded ?? (await loadParts(options));
    const configuration = parts.configuration();
    const settings = configuration.section('application', hostSettings.application);
    const { secrets } = parts;
    for (const secret of configuration.secrets()) secrets.add(secret);
    const log = await createLog({ ...configuration.section('log', hostSettings.log), name: options.name }, secrets);
    const { workingDirectory = process.cwd() } = options;
    const home = await prepareHome(workingDirectory, settings.home);
    const excludedBeans = configuration.section('beans', hostSettings.beans).exclude;
    const assembly = new Assembly({
      configuration,
      environment: settings.environment.toLowerCase(),
      workingDirectory,
      home,
      log,
      secrets,
      excludedBeans,
    });
    const serverSettings = configuration.section('server', hostSettings.server);
    const allowedMethods = new AllowedMethods(serverSettings.headersLimit);
    const server = createServer(serverSettings, log, allowedMethods);
    const host = { configuration, secrets, home, log, server, allowedMethods };
    defineHostBeans(assembly, host);
    assembly.addDescription(hostOwner, hostDescription);
    await registerParts(assembly, options.features, parts, settings);
    await setUpSessions(assembly, host);
    await registerRoutes(assembly, host, { ...options, licence: parts.manifest.licence });
    if (parts.notInstalled.length > 0)
      log.info(`these dependencies are not installed, so none of them is an add-on: ${parts.notInstalled.join(', ')}`);
    for (const name of parts.unknown) log.warn(`addOns.exclude names ${name}, which is no add-on of this application`);
    for (const name of assembly.registry.unknownExclusions)
      log.warn(`beans.exclude names ${name}, which is no bean of this application`);
    for (const sentence of assembly.leftOut) log.info(sentence);
    for (const { name, state, because } of assembly.addOns.found) log.info(`add-on ${name} is ${state}: ${because}`);
    return new Application(options, configuration, log, assembly, server);
  }

  /** After this many milliseconds a stop has failed. */
  get longestStop(): number {
    return 2 * this.#configuration.section('application', hostSettings.application).stopTimeout;
  }

  /** Starts the beans, then listens; gives the address. */
  start(): Promise<string> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /** Stops listening, finishes what is in flight, stops the beans. Whether all of it went well. */
  stop(): Promise<boolean> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #start(): Promise<string> {
    const deadlines = this.#configuration.section('application', hostSettings.application);
    const onLate = (sentence: string) => this.log.warn(sentence);
    this.#beans = await startBeans(this.#assembly.registry, { ...deadlines, onLate }, this.#startAbort.signal);
    this.#startAbort.signal.throwIfAborted();
    const settings = this.#configuration.section('server', hostSettings.server);
    try {
      return await listen(this.#server, settings, (address) => this.#listeningLine(address));
    } catch (error) {
      await this.#beans.stop();
      throw error;
    }
  }

  #listeningLine(address: string): string {
    const { hostname } = new URL(address);
    const links = this.#assembly.links.filter(({ opensAt }) => opensAt === undefined || opensAt(hostname));
    return `listening on ${address} (open ${['/', ...links.map(({ path }) => path)].join(', ')})`;
  }

  async #stop(): Promise<boolean> {
    const sentence = `${this.#options.name} was asked to stop while it was starting.`;
    this.#startAbort.abort(hostError('JIG_START_CALLED_OFF', sentence));
    await this.#starting?.catch(() => {});
    const { stopTimeout } = this.#configuration.section('application', hostSettings.application);
    await closeServer(this.#server, stopTimeout / 2);
    const failures = (await this.#beans?.stop()) ?? [];
    for (const failure of failures) this.log.error({ err: failure }, failure.message);
    this.log.info('stopped');
    return failures.length === 0;
  }
}
