import { createWriteStream, type WriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

const longestLine = 2000;
const linesInMemory = 200;

/** Reads all output of a server, which blocks when its pipe is full. Keeps it in a file and an older one, and the last lines in memory. */
export class ServerLog {
  readonly path: string;
  readonly #onLine: (line: string) => void;
  readonly #maximumBytes: number;
  #lines: string[] = [];
  #file: WriteStream | undefined;
  #size = 0;
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

  /** Clears the lines in memory, so that a new run is not explained by the output of the last one. */
  clear(): void {
    this.#lines = [];
  }

  drain(stream: Readable): void {
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => this.write(line));
  }

  write(line: string): void {
    const short = line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
    this.#lines.push(short);
    if (this.#lines.length > linesInMemory) this.#lines.shift();
    this.#onLine(short);
    this.#writing = this.#writing.then(() => this.#append(`${short}\n`));
  }

  /** Waits until everything is in the file; the next line opens it again. */
  async close(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#closeFile());
    await this.#writing;
  }

  async #append(text: string): Promise<void> {
    if (this.#size > this.#maximumBytes) {
      await this.#closeFile();
      await rename(this.path, `${this.path}.1`).catch(() => {});
    }
    this.#file ??= await this.#open();
    this.#size += Buffer.byteLength(text);
    // A log that cannot be written, on a full disk for one, must not take the application down.
    if (!this.#file.destroyed) this.#file.write(text);
  }

  async #open(): Promise<WriteStream> {
    this.#size = (await stat(this.path).catch(() => undefined))?.size ?? 0;
    return createWriteStream(this.path, { flags: 'a', mode: 0o600 }).on('error', () => {
      this.#file = undefined;
    });
  }

  #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    return new Promise((resolve) => (file === undefined || file.destroyed ? resolve() : file.end(() => resolve())));
  }
}
