import { readFileSync } from 'node:fs';

/** The version of this package; its manifest is one folder above the sources as well as above what is built of them. */
export const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};
