import type { Secrets, View } from '@jig/inspect';
import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import type { Logger } from 'pino';
import type { BeanDefinition } from '../beans/definition.ts';
import { BeanRegistry } from '../beans/registry.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { hostSettings } from '../configuration/host-settings.ts';
import type { SettingsSchema, SettingValues } from '../configuration/setting.ts';
import { hostError, nameTaken } from '../errors.ts';
import { type HealthCheck, healthFor } from '../http/health.ts';
import type { AllowedMethods } from '../http/not-found.ts';
import type { ApiDescription } from '../http/openapi.ts';
import type { AddOnContext, Feature, Link, Registration } from '../parts/feature.ts';
import { sectionOf } from '../parts/feature.ts';
import type { Part } from '../parts/part.ts';
import { AddOns } from '../parts/part.ts';
import type { Replacements } from './options.ts';

export interface SessionStoreOffer {
  readonly name: string;
  readonly priority: number;
  readonly bean: string;
}

/** A part, what it needs, and the plugins it has registered. */
interface RegisteredPart {
  readonly part: Part;
  readonly needs: readonly string[];
  readonly routes: FastifyPluginCallback[];
}

/** What the start page and `/openapi.json` show of the application. */
export interface ApplicationInfo {
  readonly name: string;
  readonly description: string;
  readonly version: string;
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
  readonly api: ApiDescription;
}

/** Collects what the host and the parts of an application register, before anything starts. */
export class ApplicationBuilder {
  readonly context: BuildContext;
  readonly registry: BeanRegistry;
  readonly addOns = new AddOns();
  /** In the order in which they registered. */
  readonly parts: RegisteredPart[] = [];
  readonly links: Link[] = [];
  readonly storeOffers: SessionStoreOffer[] = [];
  readonly views: View[] = [];
  /** Whether the application still answers, but is about to stop. */
  isDraining = false;
  readonly #healthChecks = new Map<string, { readonly owner: string; readonly check: HealthCheck }>();

  constructor(context: BuildContext, replacements?: Replacements) {
    this.context = context;
    this.registry = new BeanRegistry(replacements);
  }

  /** While draining, the application itself is listed as a part that is down. */
  get healthChecks(): ReadonlyMap<string, HealthCheck> {
    const checks = new Map([...this.#healthChecks].map(([line, { check }]) => [line, check]));
    return this.isDraining ? checks.set('application', () => ({ ok: false, state: 'stopping' })) : checks;
  }

  /** Throws if a bean that a part needs is not defined. */
  checkNeeds(): void {
    for (const { part, needs } of this.parts) {
      const bean = needs.find((name) => !this.registry.has(name));
      if (bean === undefined) continue;
      const sentence = `The ${part.kind} ${part.name} needs the bean ${bean}, ${this.registry.whyMissing(bean)}`;
      throw hostError('JIG_BEAN_UNKNOWN', sentence, { fields: { bean, part: part.name } });
    }
  }

  addHealthCheck(owner: string, line: string, check: HealthCheck): void {
    const taken = this.#healthChecks.get(line);
    if (taken !== undefined) throw nameTaken(`line ${line} of /health`, taken.owner, owner);
    this.#healthChecks.set(line, { owner, check });
  }

  contextFor(feature: Feature): AddOnContext<SettingsSchema> {
    const { info, configuration, workingDirectory, home, log } = this.context;
    const environment = this.context.settings.environment.toLowerCase();
    const settings = configuration.section(sectionOf(feature) ?? '', feature.settings ?? {});
    return { settings, application: info.name, environment, workingDirectory, home, log };
  }

  /** The argument of `register` for one part. */
  registrationFor(part: Part, feature: Feature): Registration<SettingsSchema> {
    const owner = part.name;
    const { needs = [] } = feature;
    const routes: FastifyPluginCallback[] = [];
    this.parts.push({ part, needs, routes });
    const beans = this.registry.lazily(needs);
    return {
      ...this.contextFor(feature),
      beans: this.registry,
      define: <Bean>(name: string, definition: BeanDefinition<Bean>) => this.registry.define(owner, name, definition),
      routes: (given) => {
        // The type provider changes nothing at run time.
        const plugin = given as unknown as FastifyPluginCallback;
        routes.push(needs.length === 0 ? plugin : withOptions(plugin, beans));
      },
      health: (line, check) => this.addHealthCheck(owner, line, () => check(beans)),
      readHealth: (request) => healthFor(request, this.healthChecks),
      sessionStore: (offer) => void this.storeOffers.push(offer),
      link: (link) => void this.links.push(link),
      secret: (value) => this.context.secrets.add(value),
      view: (view) => void this.views.push(view),
      views: this.views,
    };
  }
}

/** Wraps a plugin so that it gets these options; passed to `register`, names such as `prefix` would be options of Fastify. */
function withOptions(plugin: FastifyPluginCallback, options: object): FastifyPluginCallback {
  return new Proxy(plugin, {
    apply: (target, self, [server, , done]: Parameters<FastifyPluginCallback>) =>
      Reflect.apply(target, self, [server, options, done]),
  });
}
