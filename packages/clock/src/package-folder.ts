import { readFileSync } from 'node:fs';

/** The folder of this package; `src` and `dist` are equally deep. */
export const packageFolder = new URL('../', import.meta.url);

/** The columns of each line of a file in `data/`. */
export const readLines = (file: string): string[][] =>
  readFileSync(new URL(`data/${file}`, packageFolder), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
