const lineFeed = 0x0a;

/**
 * The texts that the names of one language are put together from: bytes, a line for each.
 * Whoever writes all names copies their bytes: thousands of short strings for each page would be made only to be written.
 */
export class NameTexts {
  readonly bytes: Buffer;
  /** Where each line begins. A line ends one byte before the next one begins. */
  readonly starts: Uint32Array;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    let lines = 1;
    for (let at = 0; at < bytes.length; at++) if (bytes[at] === lineFeed) lines++;
    this.starts = new Uint32Array(lines + 1);
    let line = 1;
    for (let at = 0; at < bytes.length; at++) if (bytes[at] === lineFeed) this.starts[line++] = at + 1;
    this.starts[lines] = bytes.length + 1;
  }

  text(line: number): string {
    return this.bytes.toString('utf8', this.starts[line], (this.starts[line + 1] ?? 1) - 1);
  }
}
