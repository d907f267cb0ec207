import type { Secrets } from '@jig/inspect';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Logger } from 'pino';
import type { AddOnContext, Feature, Link, Needs, Registration } from '../add-ons/feature.ts';
import type { Part } from '../add-ons/part.ts';
import { AddOns } from '../add-ons/part.ts';
import { Assets } from '../assets/assets.ts';
import { BeanRegistry } from '../beans/bean-registry.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { nearestName } from '../configuration/load-configuration.ts';
import type { SettingsSchema, SettingValues } from '../configuration/setting.ts';
import { hostError } from '../errors.ts';
import type { AllowedMethods } from '../http/allowed-methods.ts';
import { type ApiDescription, sharedOperation } from '../http/api-description.ts';
import type { HealthCheck } from '../http/health.ts';
import { Messages } from '../messages/messages.ts';
import { hostSettings } from './host-settings.ts';

export interface SessionStoreOffer {
  readonly name: string;
  readonly priority: number;
  readonly bean: string;
}

interface RoutesOfPart {
  readonly part: Part;
  readonly plugin: FastifyPluginAsync;
  readonly needs: readonly string[];
}

/** What the start page and `/openapi.json` show of the application. */
export interface ApplicationInfo {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** An SPDX identifier. */
  readonly licence: string | undefined;
}

/** What exists before the parts register; shared by all steps of building an application. */
export interface BuildContext {
  readonly info: ApplicationInfo;
  readonly configuration: Configuration;
  /** The section `application` of the configuration. */
  readonly settings: SettingValues<typeof hostSettings.application>;
  readonly workingDirectory: string;
  readonly home: string;
  readonly log: Logger;
  readonly secrets: Secrets;
  readonly server: FastifyInstance;
  readonly allowedMethods: AllowedMethods;
}

/** Collects what the host and the parts of an application register, before anything starts. */
export class ApplicationBuilder {
  readonly context: BuildContext;
  readonly registry: BeanRegistry;
  readonly addOns = new AddOns();
  readonly messages = new Messages();
  readonly assets = new Assets();
  readonly #links: { readonly part: Part; readonly link: Link }[] = [];
  readonly routes: RoutesOfPart[] = [];
  readonly #descriptions: (Needs & { readonly owner: string; readonly description: ApiDescription })[] = [];
  readonly #healthChecks: (Needs & { readonly owner: string; readonly line: string; readonly check: HealthCheck })[] =
    [];
  readonly storeOffers: SessionStoreOffer[] = [];

  constructor(context: BuildContext) {
    this.context = context;
    this.registry = new BeanRegistry(context.configuration.section('beans', hostSettings.beans).exclude);
  }

  /** The links of the start page whose needed beans are there. */
  get links(): readonly Link[] {
    return this.#links.map(({ link }) => link).filter(({ needs = [] }) => this.missing(needs).length === 0);
  }

  /** One sentence for each route and link that is left out because a bean is missing; not of add-ons that are off. */
  get leftOut(): readonly string[] {
    const routes = this.routes.map(({ part, needs }) => ({ part, needs, what: 'the routes', are: 'are' }));
    const links = this.#links.map(({ part, link }) => ({
      part,
      needs: link.needs ?? [],
      what: `the link ${link.path}`,
      are: 'is',
    }));
    return [...routes, ...links].flatMap(({ part, needs, what, are }) => {
      const missing = this.missing(needs);
      if (missing.length === 0 || this.addOns.isOff(part.name)) return [];
      return `${what} of the ${part.kind} ${part.name} ${are} left out: ${this.#noBean(missing)}`;
    });
  }

  /** The descriptions whose needed beans are there. */
  get descriptions(): readonly ApiDescription[] {
    const present = this.#descriptions.filter(({ needs = [] }) => this.missing(needs).length === 0);
    return present.map(({ description }) => description);
  }

  /** The health checks whose needed beans are there, by name. */
  get healthChecks(): ReadonlyMap<string, HealthCheck> {
    const present = this.#healthChecks.filter(({ needs = [] }) => this.missing(needs).length === 0);
    return new Map(present.map(({ line, check }) => [line, check]));
  }

  /** @param owner the part that registers it */
  addHealthCheck(owner: string, line: string, check: HealthCheck, options: Needs = {}): void {
    const taken = this.#healthChecks.find((other) => other.line === line);
    if (taken !== undefined) {
      const sentence = `The line ${JSON.stringify(line)} of /health is registered by ${both(taken.owner, owner)}; rename one of the two.`;
      throw hostError('JIG_HEALTH_LINE_TAKEN', sentence, { fields: { line, owners: [taken.owner, owner] } });
    }
    this.#healthChecks.push({ ...options, owner, line, check });
  }

  /** @param owner the part that registers it */
  addDescription(owner: string, description: ApiDescription, options: Needs = {}): void {
    for (const taken of this.#descriptions) {
      const shared = sharedOperation(taken.description, description);
      if (shared === undefined) continue;
      const { method, path } = shared;
      const sentence = `${method.toUpperCase()} ${path} is described by ${both(taken.owner, owner)}; take it out of one of the two descriptions.`;
      throw hostError('JIG_API_DESCRIBED_TWICE', sentence, { fields: { method, path, owners: [taken.owner, owner] } });
    }
    this.#descriptions.push({ ...options, owner, description });
  }

  missing(needs: readonly string[]): readonly string[] {
    return needs.filter((name) => !this.registry.has(name));
  }

  #noBean(missing: readonly string[]): string {
    const names = missing.map((name) => {
      const nearest = nearestName(name, this.registry.names());
      return nearest === undefined ? name : `${name} (did you mean ${nearest}?)`;
    });
    return `there is no bean ${names.join(', ')}`;
  }

  contextFor({ section = '', settings = {} }: Feature): AddOnContext<SettingsSchema> {
    const { configuration, workingDirectory, home, log } = this.context;
    const environment = this.context.settings.environment.toLowerCase();
    return { settings: configuration.section(section, settings), environment, workingDirectory, home, log };
  }

  /** The argument of `register` for one part. */
  registrationFor(part: Part, feature: Feature): Registration<SettingsSchema> {
    const owner = part.name;
    return {
      ...this.contextFor(feature),
      beans: this.registry,
      define: (name, definition) => this.registry.define(owner, name, definition),
      routes: (plugin, { needs = [] } = {}) => void this.routes.push({ part, plugin, needs }),
      describe: (description, options) => this.addDescription(owner, description, options),
      health: (line, check, options) => this.addHealthCheck(owner, line, check, options),
      messages: (folder) => this.messages.add(owner, folder),
      publish: (library) => this.assets.publish(library),
      sessionStore: (offer) => void this.storeOffers.push(offer),
      link: (link) => void this.#links.push({ part, link }),
      secret: (value) => this.context.secrets.add(value),
    };
  }
}

const both = (one: string, other: string) => (one === other ? `${one} twice` : `both ${one} and ${other}`);
