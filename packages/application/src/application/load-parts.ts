import { resolve } from 'node:path';
import { Secrets } from '@jig/inspect/secrets';
import { type CommandLine, readCommandLine } from '../configuration/command-line.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { readConfigurationFile } from '../configuration/file.ts';
import { hostSettings } from '../configuration/host-settings.ts';
import { loadConfiguration } from '../configuration/load.ts';
import type { ConfigurationSchema } from '../configuration/names.ts';
import { nameTaken } from '../errors.ts';
import { type AddOn, defaultSection, type Feature, sectionOf } from '../parts/feature.ts';
import { type AddOnPackage, findAddOns, loadAddOn, readApplicationManifest } from '../parts/find-add-ons.ts';
import type { ApplicationOptions } from './options.ts';

interface LoadedAddOn {
  readonly manifest: AddOnPackage;
  readonly addOn: AddOn;
}

/** The parts of an application and its configuration, before anything is created. */
export interface LoadedParts {
  readonly features: readonly Feature[];
  readonly addOns: readonly LoadedAddOn[];
  readonly excluded: readonly AddOnPackage[];
  /** Names in `addOns.exclude` that match no add-on. */
  readonly unknownExclusions: readonly string[];
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
  const provisional = loadConfiguration(hostSettings, sources, { unchecked: 'all' });
  const { exclude } = provisional.section('addOns', hostSettings.addOns);
  const found = options.manifest ? await findAddOns(await readApplicationManifest(options.manifest)) : [];
  const excluded = found.filter(({ name }) => exclude.includes(name));
  const included = found.filter(({ name }) => !exclude.includes(name));
  const unknownExclusions = exclude.filter((name) => !excluded.some((each) => each.name === name));
  const loaded = await Promise.all(included.map(async (each) => ({ manifest: each, addOn: await loadAddOn(each) })));
  const inCode = (options.addOns ?? []).map((addOn) => ({ manifest: manifestOf(addOn), addOn }));
  const addOns = [...loaded, ...inCode];
  const { features = [] } = options;
  const schema = schemaOf([...features, ...addOns.map(({ addOn }) => addOn)]);
  const sectionsOfExcluded = new Set(excluded.map(({ name, section }) => section ?? defaultSection(name)));
  return {
    features,
    addOns,
    excluded,
    unknownExclusions,
    schema,
    commandLine,
    secrets: new Secrets(),
    configuration: () => loadConfiguration(schema, sources, { unchecked: sectionsOfExcluded }),
  };
}

const manifestOf = (addOn: AddOn) => ({ name: addOn.name, version: '', section: sectionOf(addOn), beans: [] });

function schemaOf(parts: readonly Feature[]): ConfigurationSchema {
  const schema: Record<string, ConfigurationSchema[string]> = { ...hostSettings };
  const owners = new Map(Object.keys(hostSettings).map((section) => [section, 'the host']));
  for (const part of parts) {
    const section = sectionOf(part);
    if (section === undefined) continue;
    const owner = owners.get(section);
    if (owner !== undefined) throw nameTaken(`section ${section} of the settings`, owner, part.name);
    owners.set(section, part.name);
    schema[section] = part.settings ?? {};
  }
  return schema;
}
