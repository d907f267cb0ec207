import type { FastifyPluginAsync } from 'fastify';
import type { Logger } from 'pino';
import type { PublishedLibrary } from '../assets/assets.ts';
import type { BeanDefinition, BeanSource } from '../beans/bean-definition.ts';
import type { SettingsSchema, SettingValues } from '../configuration/setting.ts';
import type { ApiDescription } from '../http/api-description.ts';
import type { HealthCheck } from '../http/health.ts';
import type { PlainPageLink } from '../http/plain-page.ts';

/** Names of beans; what needs one that is missing is left out. */
export interface Needs {
  readonly needs?: readonly string[];
}

/** What the `condition` of an add-on can see. */
export interface AddOnContext<Schema extends SettingsSchema> {
  readonly settings: SettingValues<Schema>;
  /** `development`, `test`, `production` or whatever `NODE_ENV` says, in lower case. */
  readonly environment: string;
  /** Where relative paths in the settings begin. */
  readonly workingDirectory: string;
  /** The data folder; a part keeps what it writes in a folder of its own below it. */
  readonly home: string;
  readonly log: Logger;
}

/** What `register` of a part can call. All of it happens before anything starts. */
export interface Registration<Schema extends SettingsSchema> extends AddOnContext<Schema> {
  /** The beans of the whole application, for parts that look things up by name at run time. */
  readonly beans: BeanSource;
  define<Bean>(name: string, definition: BeanDefinition<Bean>): void;
  /** Registered once all beans are defined, and only when the beans it needs are among them. */
  routes(plugin: FastifyPluginAsync, options?: Needs): void;
  /** What its routes are, for `/openapi.json`; left out with the routes when a bean they need is missing. */
  describe(description: ApiDescription, options?: Needs): void;
  /** Its line of `/health`; left out when a bean that it needs is missing. */
  health(part: string, check: HealthCheck, options?: Needs): void;
  /** A folder of message catalogs, one `<language tag>.json` each. */
  messages(folder: URL): void;
  publish(library: PublishedLibrary): void;
  /** Offers a bean as the place where sessions are kept; the highest priority wins unless `sessions.store` names one. */
  sessionStore(offer: { readonly name: string; readonly priority: number; readonly bean: string }): void;
  /** Something to open, shown on the start page and after the listening line. */
  link(link: Link): void;
  /** A text such as a generated password, to be masked in logs and in every inspected bean. */
  secret(value: string): void;
}

export interface Link extends PlainPageLink {
  readonly needs?: readonly string[];
  /** Whether the link works when the server is addressed by this name or IP address; always, by default. */
  readonly opensAt?: (host: string) => boolean;
}

export interface Feature<Schema extends SettingsSchema = SettingsSchema> {
  readonly name: string;
  /** The section of the configuration that holds its settings. */
  readonly section?: string;
  readonly settings?: Schema;
  register(host: Registration<Schema>): void | Promise<void>;
}

export type Condition =
  | { readonly met: true; readonly because?: string }
  | { readonly met: false; readonly because: string };

/** A feature that an application has because a package is among its dependencies. */
export interface AddOn<Schema extends SettingsSchema = SettingsSchema> extends Feature<Schema> {
  /** Whether it can be on here; without a condition it is on because it is included. */
  condition?(context: AddOnContext<Schema>): Condition | Promise<Condition>;
}

/** Gives `register` the types of the settings. */
export function defineFeature<const Schema extends SettingsSchema>(feature: Feature<Schema>): Feature {
  return feature as unknown as Feature;
}

export function defineAddOn<const Schema extends SettingsSchema>(addOn: AddOn<Schema>): AddOn {
  return addOn as unknown as AddOn;
}
