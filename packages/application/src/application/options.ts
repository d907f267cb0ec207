import type { BeanTypes } from '../beans/definition.ts';
import type { AddOn, Feature } from '../parts/feature.ts';
import type { LogDestination } from './log.ts';

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
  /** Beans to replace, each by a value that is neither started nor stopped; for tests. */
  readonly replace?: Replacements;
  /** The command line after the program's name; the process's own by default. */
  readonly flags?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** Where relative paths begin, those in the settings too; the process's own by default. */
  readonly workingDirectory?: string;
  /** Where the lines of the log go; standard output by default. */
  readonly logDestination?: LogDestination;
}
