import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Finds out of which source a function of a bundle came. */
export class SourceFinder {
  readonly #maps = new Map<string, SourceMap | undefined>();

  /** The path of the source from the root of the repository; what Node brings along keeps its name. Lines and columns count from 0. */
  find(address: string, line: number, column: number): string {
    if (address.startsWith('node:')) return address;
    const file = address.startsWith('file:') ? fileURLToPath(address) : address;
    const entry = this.#mapOf(file)?.findEntry(line, column);
    const source =
      entry !== undefined && 'originalSource' in entry ? resolve(dirname(file), entry.originalSource) : file;
    return relative(root, source);
  }

  #mapOf(file: string): SourceMap | undefined {
    if (!this.#maps.has(file)) {
      const map = `${file}.map`;
      this.#maps.set(file, existsSync(map) ? new SourceMap(JSON.parse(readFileSync(map, 'utf8'))) : undefined);
    }
    return this.#maps.get(file);
  }
}
