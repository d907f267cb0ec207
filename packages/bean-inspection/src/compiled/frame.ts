import type { ByteWriter } from './byte-writer.ts';

/** A container that is not finished, as it was left. All frames together are the whole state of a document. */
export interface Frame {
  /** Goes on; false when the writer must stop again. */
  resume(writer: ByteWriter): boolean;
  /** Ends the container early, saying what is missing. */
  cut(writer: ByteWriter): void;
  /** Lets go of what it holds. */
  close?(): void;
}
