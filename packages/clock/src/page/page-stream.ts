import { Readable } from 'node:stream';

const { ServerResponse } = process.getBuiltinModule('node:http');

/**
 * The parts of a page as a stream. Joined, they would be a large buffer for each request, whose garbage collection costs as much as
 * the rest of the page. Piped one by one, each would wait for the one before it to be sent, although all are in memory anyway.
 */
export class PageStream extends Readable {
  #parts: readonly Buffer[];

  constructor(parts: readonly Buffer[]) {
    super();
    this.#parts = parts;
  }

  override _read(): void {
    for (const part of this.#take()) this.push(part);
    this.push(null);
  }

  /** Writes all parts to a response at once, unless somebody else reads them too. */
  override pipe<Destination extends NodeJS.WritableStream>(
    destination: Destination,
    options?: { readonly end?: boolean },
  ): Destination {
    const isOnly = this.readableFlowing === null && !this.readableDidRead && options === undefined;
    if (!isOnly || !(destination instanceof ServerResponse)) return super.pipe(destination, options);
    for (const part of this.#take()) destination.write(part);
    destination.end();
    // Ends this stream too.
    this.resume();
    return destination;
  }

  #take(): readonly Buffer[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }
}
