import { resolve } from 'node:path';
import { Secrets } from '@jig/inspect';
import type { AddOn, Feature } from '../add-ons/feature.ts';
import {
  type AddOnManifest,
  type ApplicationManifest,
  type FoundAddOns,
  findAddOns,
  loadAddOn,
  readApplicationManifest,
} from '../add-ons/find-add-ons.ts';
import { attemptWithDeadline, type Part } from '../add-ons/part.ts';
import { type CommandLine, readCommandLine } from '../configuration/command-line.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { loadConfiguration } from '../configuration/load-configuration.ts';
import type { ConfigurationSchema } from '../configuration/named-settings.ts';
import { readConfigurationFile } from '../configuration/read-configuration-file.ts';
import { hostError } from '../errors.ts';
import type { ApplicationBuilder } from './application-builder.ts';
import { hostSettings } from './host-settings.ts';

/** An application: its name, its package.json, and the features it is composed of. */
export interface ApplicationOptions {
  readonly name: string;
  /** One sentence for the start page. */
  readonly description: string;
  readonly version: string;
  /** The application's package.json, whose dependencies say which add-ons it includes. */
  readonly manifest: URL;
  readonly features: readonly Feature[];
  /** The command line after the program's name; the process's own by default. */
  readonly flags?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** Where relative paths begin, those in the settings too; the process's own by default. */
  readonly workingDirectory?: string;
}

interface LoadedAddOn {
  readonly manifest: AddOnManifest;
  readonly addOn: AddOn;
}

/** The parts of an application and its configuration, before anything is created. */
export interface LoadedParts {
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
  const sources = { file, environment, flags };
  const provisional = loadConfiguration(hostSettings, sources, 'all');
  const unwanted = new Set(provisional.section('addOns', hostSettings.addOns).exclude);
  const manifest = await readApplicationManifest(options.manifest);
  const { included, excluded, notInstalled } = await findAddOns(manifest, unwanted);
  const unknown = [...unwanted].filter((name) => !excluded.some((each) => each.name === name));
  const addOns = await Promise.all(included.map(async (each) => ({ manifest: each, addOn: await loadAddOn(each) })));
  const schema = schemaOf([...options.features, ...addOns.map(({ addOn }) => addOn)]);
  const foreign = new Set(excluded.flatMap(({ section }) => section ?? []));
  return {
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

function schemaOf(parts: readonly Feature[]): ConfigurationSchema {
  const schema: Record<string, ConfigurationSchema[string]> = { ...hostSettings };
  for (const { name, section, settings = {} } of parts) {
    if (section === undefined) continue;
    if (Object.hasOwn(schema, section)) {
      const sentence = `${name} brings the section ${section}, which is there already; give it a section of another name.`;
      throw hostError('JIG_SETTINGS_SECTION_TAKEN', sentence);
    }
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
  features: readonly Feature[],
  { addOns, excluded }: LoadedParts,
): Promise<void> {
  const { startTimeout } = builder.context.settings;
  const register = (part: Part, feature: Feature) =>
    attemptWithDeadline(part, { ...registerStep, startTimeout }, () =>
      feature.register(builder.registrationFor(part, feature)),
    );
  for (const feature of features) await register({ kind: 'feature', name: feature.name }, feature);
  for (const { name, version } of excluded) {
    builder.addOns.report({ name, version, state: 'off', because: 'excluded by the setting addOns.exclude' });
  }
  for (const { manifest, addOn } of addOns) {
    const { name, version } = manifest;
    const part: Part = { kind: 'add-on', name };
    const condition = await attemptWithDeadline(part, { ...conditionStep, startTimeout }, () =>
      addOn.condition?.(builder.contextFor(addOn)),
    );
    if (condition?.met !== false) await register(part, addOn);
    const state = condition?.met === false ? 'off' : 'on';
    builder.addOns.report({ name, version, state, because: condition?.because ?? 'included by the application' });
  }
}
