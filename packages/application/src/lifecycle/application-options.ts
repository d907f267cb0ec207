import type { Feature } from '../add-ons/feature.ts';

/** What makes an application: its name, where its package.json lies, and the features it is composed of. */
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
