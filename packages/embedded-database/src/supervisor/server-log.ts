import { createWriteStream, type WriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface ServerLogOptions {
  /** The file; older ones are beside it as `.1`, `.2`. */
  readonly path: string;
  readonly maximumBytes?: number;
  readonly olderFiles?: number;
  /** Kept in memory for error messages. */
  readonly maximumLines?: number;
  readonly onLine?: ((line: string) => void) | undefined;
}

const longestLine = 2000;

/** Reads all output of a server, which blocks when its pipe is full. Keeps it in rotated files, and the last lines in memory. */
export class ServerLog {
  readonly path: string;
  readonly #options: Required<Omit<ServerLogOptions, 'onLine'>> & Pick<ServerLogOptions, 'onLine'>;
  readonly #secrets: string[] = [];
  #lines: string[] = [];
  #file: WriteStream | undefined;
  #size = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: ServerLogOptions) {
    this.path = options.path;
    this.#options = { maximumBytes: 2 ** 20, olderFiles: 2, maximumLines: 200, ...options };
  }

  /** The last lines, oldest first. */
  tail(count = 20): readonly string[] {
    return this.#lines.slice(-count);
  }

  /** Clears the lines in memory, so that a new run is not explained by the output of the last one. */
  clear(): void {
    this.#lines = [];
  }

  /** A text that is masked in the log. */
  addSecret(secret: string): void {
    this.#secrets.push(secret);
  }

  drain(stream: Readable): void {
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => this.write(line));
  }

  write(line: string): void {
    const safe = this.#secrets.reduce((text, secret) => text.replaceAll(secret, '******'), line);
    const short = safe.length > longestLine ? `${safe.slice(0, longestLine)}…` : safe;
    this.#lines.push(short);
    if (this.#lines.length > this.#options.maximumLines) this.#lines.shift();
    this.#options.onLine?.(short);
    this.#writing = this.#writing.then(() => this.#append(`${short}\n`));
  }

  /** Waits until everything is in the file; the next line opens it again. */
  async close(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#closeFile());
    await this.#writing;
  }

  async #append(text: string): Promise<void> {
    if (this.#size > this.#options.maximumBytes) await this.#rotate();
    this.#file ??= await this.#open();
    this.#size += Buffer.byteLength(text);
    // A log that cannot be written, on a full disk for one, must not take the application down.
    if (!this.#file.destroyed) this.#file.write(text);
  }

  async #open(): Promise<WriteStream> {
    this.#size = await stat(this.path).then(
      (file) => file.size,
      () => 0,
    );
    return createWriteStream(this.path, { flags: 'a', mode: 0o600 }).on('error', () => {
      this.#file = undefined;
    });
  }

  async #rotate(): Promise<void> {
    await this.#closeFile();
    for (let age = this.#options.olderFiles; age > 0; age--) {
      const younger = age === 1 ? this.path : `${this.path}.${age - 1}`;
      await rename(younger, `${this.path}.${age}`).catch(() => {});
    }
    this.#size = 0;
  }

  #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    return new Promise((resolve) => (file === undefined || file.destroyed ? resolve() : file.end(() => resolve())));
  }
}
