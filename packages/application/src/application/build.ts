import type { Secrets, View } from '@jig/inspect';
import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { BeanDefinition } from '../beans/definition.ts';
import { BeanRegistry } from '../beans/registry.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { SettingsSchema, SettingValues } from '../configuration/setting.ts';
import { hostError } from '../errors.ts';
import { type Health, type HealthCheck, healthFor } from '../http/health.ts';
import type { AllowedMethods } from '../http/not-found.ts';
import type { AddOnContext, Feature, Link, Registration } from '../parts/feature.ts';
import { sectionOf } from '../parts/feature.ts';
import type { Part } from '../parts/part.ts';
import { AddOns } from '../parts/part.ts';
import { hostSettings } from './settings.ts';

export interface SessionStoreOffer {
  readonly name: string;
  readonly priority: number;
  readonly bean: string;
}

/** What one part has registered. */
interface PartRecord {
  readonly part: Part;
  readonly needs: readonly string[];
  readonly routes: FastifyPluginCallback[];
  readonly links: Link[];
  readonly healthChecks: Map<string, HealthCheck>;
  readonly storeOffers: SessionStoreOffer[];
}

const recordOf = (part: Part, needs: readonly string[] = []): PartRecord => ({
  part,
  needs,
  routes: [],
  links: [],
  healthChecks: new Map(),
  storeOffers: [],
});

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
}

/** Collects what the host and the parts of an application register, before anything starts. */
export class ApplicationBuilder {
  readonly context: BuildContext;
  readonly registry: BeanRegistry;
  readonly addOns = new AddOns();
  readonly views: View[] = [];
  /** Whether the application still answers, but is about to stop. */
  isDraining = false;
  /** The host comes first, then each part in the order in which they registered. */
  readonly parts: PartRecord[];

  constructor(context: BuildContext, host: string, replacements?: ReadonlyMap<string, unknown>) {
    this.context = context;
    this.parts = [recordOf({ kind: 'feature', name: host })];
    this.registry = new BeanRegistry(replacements);
  }

  get links(): readonly Link[] {
    return this.parts.flatMap(({ links }) => links);
  }

  /** While it is about to stop, the application counts as one more part, which is down. */
  get healthChecks(): ReadonlyMap<string, HealthCheck> {
    const checks = new Map(this.parts.flatMap(({ healthChecks }) => [...healthChecks]));
    return this.isDraining ? checks.set('application', () => ({ ok: false, state: 'stopping' })) : checks;
  }

  get storeOffers(): readonly SessionStoreOffer[] {
    return this.parts.flatMap(({ storeOffers }) => storeOffers);
  }

  /** Every bean that a part needs must be there. @param later names of beans that the host defines afterwards */
  checkNeeds(later: readonly string[]): void {
    for (const { part, needs } of this.parts) {
      const bean = needs.find((name) => !this.registry.has(name) && !later.includes(name));
      if (bean === undefined) continue;
      const sentence = `The ${part.kind} ${part.name} needs the bean ${bean}, ${this.registry.whyMissing(bean)}`;
      throw hostError('JIG_BEAN_UNKNOWN', sentence, { fields: { bean, part: part.name } });
    }
  }

  addHealthCheck(record: PartRecord, line: string, check: HealthCheck): void {
    const taken = this.parts.find(({ healthChecks }) => healthChecks.has(line));
    if (taken !== undefined) {
      const owners = [taken.part.name, record.part.name] as const;
      const sentence = `The line ${JSON.stringify(line)} of /health is registered by ${both(...owners)}; rename one of the two.`;
      throw hostError('JIG_HEALTH_LINE_TAKEN', sentence, { fields: { line, owners } });
    }
    record.healthChecks.set(line, check);
  }

  #readHealth(request: FastifyRequest): Promise<Health> {
    const { details } = this.context.configuration.section('health', hostSettings.health);
    return healthFor(request, this.healthChecks, details);
  }

  /** What the host itself registers. */
  get host(): PartRecord {
    const [host] = this.parts;
    if (host === undefined) throw new TypeError('The record of the host is missing.');
    return host;
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
    const record = recordOf(part, feature.needs);
    this.parts.push(record);
    const beans = this.registry.lazily(feature.needs ?? []);
    return {
      ...this.contextFor(feature),
      beans: this.registry,
      define: <Bean>(name: string, definition: BeanDefinition<Bean>) => this.registry.define(owner, name, definition),
      routes: (given) => {
        // The type provider changes nothing at run time.
        const plugin = given as unknown as FastifyPluginCallback;
        record.routes.push(record.needs.length === 0 ? plugin : withOptions(plugin, beans));
      },
      health: (line, check) => this.addHealthCheck(record, line, () => check(beans)),
      readHealth: (request) => this.#readHealth(request),
      sessionStore: (offer) => void record.storeOffers.push(offer),
      link: (link) => void record.links.push(link),
      secret: (value) => this.context.secrets.add(value),
      view: (view) => void this.views.push(view),
      views: this.views,
    };
  }
}

const both = (one: string, other: string) => (one === other ? `${one} twice` : `both ${one} and ${other}`);

/** The same plugin, called with these options; Fastify would take some of their names, such as `prefix`, as its own. */
function withOptions(plugin: FastifyPluginCallback, options: object): FastifyPluginCallback {
  return new Proxy(plugin, {
    apply: (target, self, [server, , done]: Parameters<FastifyPluginCallback>) =>
      Reflect.apply(target, self, [server, options, done]),
  });
}
