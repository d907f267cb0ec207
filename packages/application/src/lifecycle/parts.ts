import { resolve } from 'node:path';
import { Secrets } from '@jig/inspect/secrets';
import { type AddOn, type Feature, sectionFor, sectionOf } from '../add-ons/feature.ts';
import {
  type AddOnManifest,
  type ApplicationManifest,
  type FoundAddOns,
  findAddOns,
  loadAddOn,
  readApplicationManifest,
} from '../add-ons/find-add-ons.ts';
import { attemptWithDeadline, type Part, unusable } from '../add-ons/part.ts';
import type { BeanTypes } from '../beans/bean-definition.ts';
import { type CommandLine, readCommandLine } from '../configuration/command-line.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { loadConfiguration } from '../configuration/load-configuration.ts';
import type { ConfigurationSchema } from '../configuration/named-settings.ts';
import { readConfigurationFile } from '../configuration/read-configuration-file.ts';
import { schemaProblem } from '../configuration/setting.ts';
import { hostError } from '../errors.ts';
import type { ApplicationBuilder } from './application-builder.ts';
import type { LogDestination } from './create-log.ts';
import { sessionBeans } from './host-sessions.ts';
import { hostSettings } from './host-settings.ts';

/** Values by section and setting, such as `{ server: { port: 0 } }`. */
export type SettingsOfSections = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Fakes by the names of the beans they replace; a fake may have only those members that the test needs. */
export type Replacements = { readonly [Name in keyof BeanTypes]?: Fake<Awaited<BeanTypes[Name]>> };

/** A mapped type, since a class with private members is otherwise assignable only from itself. */
type Fake<Bean> = Bean | { readonly [Member in keyof Bean]?: Bean[Member] };

/** An application: its name, its package.json, and the features it is composed of. */
export interface ApplicationOptions {
  readonly name: string;
  /** One sentence for the start page. */
  readonly description: string;
  readonly version: string;
  /** The application's package.json, whose dependencies say which add-ons it includes; without it, only those in `addOns`. */
  readonly manifest?: URL;
  readonly features?: readonly Feature[];
  /** Add-ons beside those among the dependencies. */
  readonly addOns?: readonly AddOn[];
  /** Values in place of the defaults: sections to settings. The file, the environment and flags still win. */
  readonly settings?: SettingsOfSections;
  /** Beans to replace, each by a value that nobody starts or stops; for tests. */
  readonly replace?: Replacements;
  /** The command line after the program's name; the process's own by default. */
  readonly flags?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** Where relative paths begin, those in the settings too; the process's own by default. */
  readonly workingDirectory?: string;
  /** Where the lines of the log go; standard output by default. */
  readonly logDestination?: LogDestination;
}

interface LoadedAddOn {
  readonly manifest: Omit<AddOnManifest, 'module'>;
  readonly addOn: AddOn;
}

/** The parts of an application and its configuration, before anything is created. */
export interface LoadedParts {
  readonly features: readonly Feature[];
  readonly manifest: ApplicationManifest;
  readonly addOns: readonly LoadedAddOn[];
  readonly excluded: FoundAddOns['excluded'];
  /** Dependencies that are not installed, and so may be add-ons or not. */
  readonly notInstalled: readonly string[];
  /** Names in `addOns.exclude` that are no add-ons. */
  readonly unknown: readonly string[];
  readonly schema: ConfigurationSchema;
  readonly commandLine: CommandLine;
  /** Secrets are added as they become known, those of the configuration first. */
  readonly secrets: Secrets;
  configuration(): Configuration;
}

/** Finds and loads the add-ons first, so that the schema is complete before the configuration is validated. */
export async function loadParts(options: ApplicationOptions): Promise<LoadedParts> {
  const { flags = process.argv.slice(2), environment = process.env, workingDirectory = process.cwd() } = options;
  const commandLine = readCommandLine(flags);
  const { configurationFile: asked = 'jig.config.json' } = commandLine;
  const path = resolve(workingDirectory, asked);
  const file = await readConfigurationFile(path, commandLine.configurationFile !== undefined, asked);
  const sources = { defaults: options.settings ?? {}, file, environment, flags };
  const provisional = loadConfiguration(hostSettings, sources, 'all');
  const unwanted = new Set(provisional.section('addOns', hostSettings.addOns).exclude);
  const manifest =
    options.manifest === undefined ? noManifest(workingDirectory) : await readApplicationManifest(options.manifest);
  const { included, excluded, notInstalled } = await findAddOns(manifest, unwanted);
  const unknown = [...unwanted].filter((name) => !excluded.some((each) => each.name === name));
  const found = included.map(async (each) => ({ manifest: each, addOn: await loadAddOn(each) }));
  const given = (options.addOns ?? []).map((addOn) => ({ manifest: manifestOf(addOn), addOn }));
  const addOns = [...(await Promise.all(found)), ...given];
  const { features = [] } = options;
  const schema = schemaOf([
    ...features.map((feature) => ({ part: { kind: 'feature', name: feature.name } as const, feature })),
    ...addOns.map(({ addOn }) => ({ part: { kind: 'add-on', name: addOn.name } as const, feature: addOn })),
  ]);
  const foreign = new Set(excluded.flatMap(({ name, section }) => section ?? sectionFor(name)));
  return {
    features,
    manifest,
    addOns,
    excluded,
    notInstalled,
    unknown,
    schema,
    commandLine,
    secrets: new Secrets(),
    configuration: () => loadConfiguration(schema, sources, foreign),
  };
}

const noManifest = (folder: string): ApplicationManifest => ({ folder, dependencies: [], licence: undefined });

const manifestOf = (addOn: AddOn) => ({ name: addOn.name, version: '', section: sectionOf(addOn), beans: undefined });

function schemaOf(parts: readonly { readonly part: Part; readonly feature: Feature }[]): ConfigurationSchema {
  const schema: Record<string, ConfigurationSchema[string]> = { ...hostSettings };
  for (const { part, feature } of parts) {
    const section = sectionOf(feature);
    if (section === undefined) continue;
    if (Object.hasOwn(schema, section)) {
      const sentence = `${part.name} brings the section ${section}, which is there already; give it a section of another name.`;
      throw hostError('JIG_SETTINGS_SECTION_TAKEN', sentence);
    }
    const { settings = {} } = feature;
    const problem = schemaProblem(settings);
    if (problem !== undefined) throw unusable(part, problem);
    schema[section] = settings;
  }
  return schema;
}

const conditionStep = {
  failure: 'threw in its condition',
  timeoutMessage: 'did not answer whether its condition is met',
};
const registerStep = { failure: 'threw while it registered', timeoutMessage: 'did not register' };

/** Lets the features register, then the add-ons whose conditions are met. */
export async function registerParts(
  builder: ApplicationBuilder,
  { features, addOns, excluded, notInstalled }: LoadedParts,
): Promise<void> {
  const { startTimeout } = builder.context.settings;
  const register = (part: Part, feature: Feature) =>
    attemptWithDeadline(part, { ...registerStep, startTimeout }, () =>
      feature.register(builder.registrationFor(part, feature)),
    );
  for (const feature of features) await register({ kind: 'feature', name: feature.name }, feature);
  /** Whether a bean that nobody defines may belong to an add-on of which too little is known. */
  let mayBeElsewhere = notInstalled.length > 0;
  const reportOff = ({ name, version, beans }: Omit<AddOnManifest, 'module'>, because: string) => {
    builder.addOns.report({ name, version, state: 'off', because });
    builder.registry.leaveOut(beans ?? [], `the add-on ${name} is off: ${because}`);
    mayBeElsewhere ||= beans === undefined;
  };
  for (const each of excluded) reportOff(each, 'excluded by the setting addOns.exclude');
  for (const { manifest, addOn } of addOns) {
    const { name, version } = manifest;
    const part: Part = { kind: 'add-on', name };
    const condition = await attemptWithDeadline(part, { ...conditionStep, startTimeout }, () =>
      addOn.condition?.(builder.contextFor(addOn)),
    );
    if (condition?.met === false) {
      reportOff(manifest, condition.because);
      continue;
    }
    await register(part, addOn);
    builder.addOns.report({ name, version, state: 'on', because: condition?.because ?? 'included by the application' });
  }
  builder.registry.defineOtherReplacements('replace');
  builder.leaveOutUnmet(sessionBeans, mayBeElsewhere);
}
