import { appendFile, rename, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

const maxLineLength = 2000;
const linesInMemory = 200;

/** Reads the output of a server, which would block on a full pipe. Keeps it in a rotating file, and the last lines in memory. */
export class ServerLog {
  readonly path: string;
  readonly #onLine: (line: string) => void;
  readonly #maximumBytes: number;
  #lines: string[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, onLine: (line: string) => void = () => {}, maximumBytes = 2 ** 20) {
    this.path = path;
    this.#onLine = onLine;
    this.#maximumBytes = maximumBytes;
  }

  /** The last lines, oldest first. */
  tail(count = 20): readonly string[] {
    return this.#lines.slice(-count);
  }

  /** Removes the lines of the previous run from memory. */
  clear(): void {
    this.#lines = [];
  }

  drain(stream: Readable): void {
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => this.write(line));
  }

  write(line: string): void {
    const short = line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line;
    this.#lines.push(short);
    if (this.#lines.length > linesInMemory) this.#lines.shift();
    this.#onLine(short);
    // A log that cannot be written, as on a full disk, must not end the application.
    this.#writing = this.#writing.then(() => this.#append(`${short}\n`)).catch(() => {});
  }

  /** Resolves when all lines are in the file. */
  async written(): Promise<void> {
    await this.#writing;
  }

  async #append(text: string): Promise<void> {
    const { size } = await stat(this.path).catch(() => ({ size: 0 }));
    if (size > this.#maximumBytes) await rename(this.path, `${this.path}.1`);
    await appendFile(this.path, text, { mode: 0o600 });
  }
}
