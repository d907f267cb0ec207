import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PlainPageLink } from '@jig/http';
import type { View } from '@jig/inspect';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  RawServerDefault,
} from 'fastify';
import type { Logger } from 'pino';
import type { BeanDefinition, BeanName, BeanSource, BeanTypes } from '../beans/definition.ts';
import type { SettingsSchema, SettingValues } from '../configuration/setting.ts';
import type { Health, PartHealth } from '../http/health.ts';

/** What the `condition` of an add-on can see. */
export interface AddOnContext<Schema extends SettingsSchema> {
  readonly settings: SettingValues<Schema>;
  /** The name of the application. */
  readonly application: string;
  /** `development`, `test`, `production` or whatever `NODE_ENV` says, in lower case. */
  readonly environment: string;
  /** Where relative paths in the settings begin. */
  readonly workingDirectory: string;
  /** The data folder; a part keeps what it writes in a folder of its own below it. */
  readonly home: string;
  readonly log: Logger;
}

/** The beans that a part needs, by name. Each is created when it is first read. */
export type NeededBeans<Name extends BeanName> = Pick<BeanTypes, Name>;

/** A Fastify plugin, asynchronous or with `done`, whose options are the beans that the part needs. */
export type Routes<Name extends BeanName, Provider extends FastifyTypeProvider = FastifyTypeProviderDefault> = (
  server: FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, Provider>,
  beans: NeededBeans<Name>,
  done: (error?: Error) => void,
) => void | Promise<void>;

/** What `register` of a part can call. All of it happens before anything starts. */
export interface Registration<Schema extends SettingsSchema, Name extends BeanName = never>
  extends AddOnContext<Schema> {
  /** The beans of the whole application, for parts that look things up by name at run time. */
  readonly beans: BeanSource;
  /** Defines a bean. Declare its type in `BeanTypes`, so that others get it typed. */
  define<Defined extends BeanName>(name: Defined, definition: BeanDefinition<BeanTypes[Defined]>): void;
  define<Defined extends string, Bean>(name: Undeclared<Defined>, definition: BeanDefinition<Bean>): void;
  /** Adds routes, hooks and plugins; the plugin is called with the needed beans once all beans are defined. */
  routes<Provider extends FastifyTypeProvider = FastifyTypeProviderDefault>(plugin: Routes<Name, Provider>): void;
  /** Adds a line to `/health`. */
  health(line: string, check: (beans: NeededBeans<Name>) => PartHealth | Promise<PartHealth>): void;
  /** What `/health` answers to this client. */
  readHealth(request: FastifyRequest): Promise<Health>;
  /** Offers a bean as session store; the highest priority wins unless `sessions.store` names one. */
  sessionStore(offer: { readonly name: string; readonly priority: number; readonly bean: string }): void;
  /** Adds a link to the start page and to the log line that says where the server listens. */
  link(link: Link): void;
  /** Adds a string such as a generated password, to be masked in logs and in every inspected bean. */
  secret(value: string): void;
  /** Adds a view: how inspection shows the objects of a class. */
  view(view: View): void;
  /** The views of all parts that have registered so far. */
  readonly views: readonly View[];
}

/** A name that `BeanTypes` does not have; the definition of one that it has must fit its type. */
type Undeclared<Name extends string> = Name extends BeanName ? never : Name;

export interface Link extends PlainPageLink {
  /** Whether the link works when the server is addressed by this name or IP address; always, by default. */
  readonly opensAt?: (host: string) => boolean;
}

export interface Feature<Schema extends SettingsSchema = SettingsSchema, Name extends BeanName = never> {
  readonly name: string;
  /** The section of the configuration that holds its settings; its name in camelCase by default. */
  readonly section?: string;
  readonly settings?: Schema;
  /** The beans that it needs, its own or those of other parts. A missing one ends the start. */
  readonly needs?: readonly Name[];
  register(host: Registration<Schema, Name>): void | Promise<void>;
}

export type Condition =
  | { readonly met: true; readonly because?: string }
  | { readonly met: false; readonly because: string };

/** A feature that an application has because a package is among its dependencies. */
export interface AddOn<Schema extends SettingsSchema = SettingsSchema, Name extends BeanName = never>
  extends Feature<Schema, Name> {
  /** Whether the add-on can be on in this environment; without a condition it is always on. */
  condition?(context: AddOnContext<Schema>): Condition | Promise<Condition>;
}

/** Gives `register` the types of the settings and of the needed beans. */
export function defineFeature<const Schema extends SettingsSchema, const Name extends BeanName = never>(
  feature: Feature<Schema, Name>,
): Feature {
  return feature as unknown as Feature;
}

export function defineAddOn<const Schema extends SettingsSchema, const Name extends BeanName = never>(
  addOn: AddOn<Schema, Name>,
): AddOn {
  return addOn as unknown as AddOn;
}

/** The section of the settings of a part: `@jig/bean-inspection` has `beanInspection`. */
export function sectionOf({
  name,
  section,
  settings,
}: Pick<Feature, 'name' | 'section' | 'settings'>): string | undefined {
  return settings === undefined ? section : (section ?? defaultSection(name));
}

export function defaultSection(name: string): string {
  const words = name
    .replace(/^.*\//, '')
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean);
  const capitalized = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return capitalized.charAt(0).toLowerCase() + capitalized.slice(1);
}
