import { resolve } from 'node:path';
import { Secrets } from '@jig/inspect/secrets';
import { type CommandLine, readCommandLine } from '../configuration/command-line.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { readConfigurationFile } from '../configuration/file.ts';
import { loadConfiguration } from '../configuration/load.ts';
import type { ConfigurationSchema } from '../configuration/names.ts';
import { hostError } from '../errors.ts';
import { type AddOn, type Feature, sectionFor, sectionOf } from '../parts/feature.ts';
import {
  type AddOnPackage,
  type ApplicationManifest,
  findAddOns,
  loadAddOn,
  readApplicationManifest,
} from '../parts/find-add-ons.ts';
import type { ApplicationOptions } from './options.ts';
import { hostSettings } from './settings.ts';

interface LoadedAddOn {
  readonly manifest: AddOnPackage;
  readonly addOn: AddOn;
}

/** The parts of an application and its configuration, before anything is created. */
export interface LoadedParts {
  readonly features: readonly Feature[];
  readonly manifest: ApplicationManifest;
  readonly addOns: readonly LoadedAddOn[];
  readonly excluded: readonly AddOnPackage[];
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
  const { configurationFile: fileName = 'jig.config.json' } = commandLine;
  const path = resolve(workingDirectory, fileName);
  const file = await readConfigurationFile(path, commandLine.configurationFile !== undefined, fileName);
  const sources = { defaults: options.settings ?? {}, file, environment, flags };
  const provisional = loadConfiguration(hostSettings, sources, 'all');
  const excludedNames = new Set(provisional.section('addOns', hostSettings.addOns).exclude);
  const manifest =
    options.manifest === undefined ? noManifest(workingDirectory) : await readApplicationManifest(options.manifest);
  const { included, excluded, notInstalled } = await findAddOns(manifest, excludedNames);
  const unknown = [...excludedNames].filter((name) => !excluded.some((each) => each.name === name));
  const found = included.map(async (each) => ({ manifest: each, addOn: await loadAddOn(each) }));
  const inCode = (options.addOns ?? []).map((addOn) => ({ manifest: manifestOf(addOn), addOn }));
  const addOns = [...(await Promise.all(found)), ...inCode];
  const { features = [] } = options;
  const schema = schemaOf([...features, ...addOns.map(({ addOn }) => addOn)]);
  const sectionsOfExcluded = new Set(excluded.flatMap(({ name, section }) => section ?? sectionFor(name)));
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
    configuration: () => loadConfiguration(schema, sources, sectionsOfExcluded),
  };
}

const noManifest = (folder: string): ApplicationManifest => ({ folder, dependencies: [], licence: undefined });

const manifestOf = (addOn: AddOn) => ({ name: addOn.name, version: '', section: sectionOf(addOn), beans: [] });

function schemaOf(parts: readonly Feature[]): ConfigurationSchema {
  const schema: Record<string, ConfigurationSchema[string]> = { ...hostSettings };
  for (const part of parts) {
    const section = sectionOf(part);
    if (section === undefined) continue;
    if (Object.hasOwn(schema, section)) {
      const sentence = `${part.name} brings the section ${section}, which is there already; give it a section of another name.`;
      throw hostError('JIG_SETTINGS_SECTION_TAKEN', sentence);
    }
    schema[section] = part.settings ?? {};
  }
  return schema;
}
