const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');

/** Finds where one answer ends on a connection that never has two under way. It reads no more than it must. */
export class ResponseReader {
  status = 0;
  #head: Buffer | undefined;
  #missing = 0;
  #tail: Buffer | undefined;
  #inBody = false;

  /** Whether this chunk completes the answer. */
  read(chunk: Buffer): boolean {
    if (this.#inBody) return this.#readBody(chunk);
    const seen = this.#head === undefined ? chunk : Buffer.concat([this.#head, chunk]);
    const end = seen.indexOf(headEnd);
    if (end === -1) {
      this.#head = seen;
      return false;
    }
    this.#begin(seen.toString('latin1', 0, end));
    return this.#readBody(seen.subarray(end + headEnd.length));
  }

  reset(): void {
    this.#head = undefined;
    this.#tail = undefined;
    this.#inBody = false;
    this.#missing = 0;
  }

  #begin(head: string): void {
    this.status = Number(head.slice(9, 12));
    this.#inBody = true;
    if (/\r\ntransfer-encoding: *chunked/i.test(head)) this.#tail = Buffer.alloc(0);
    else if (this.status !== 304 && this.status !== 204) {
      this.#missing = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    }
  }

  #readBody(chunk: Buffer): boolean {
    if (this.#tail === undefined) {
      this.#missing -= chunk.length;
      return this.#missing <= 0;
    }
    // No text that we write holds a line end like a last chunk's, so that looking at the last five bytes is enough.
    const tail = chunk.length >= lastChunk.length ? chunk : Buffer.concat([this.#tail, chunk]);
    this.#tail = tail.subarray(-lastChunk.length);
    return this.#tail.equals(lastChunk);
  }
}
