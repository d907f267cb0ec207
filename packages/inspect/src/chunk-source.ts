/** A document in the making: both the plain walk and the compiled writers hand it out in pieces like this. */
export interface ChunkSource {
  /** Whether anything was left out so far. */
  readonly truncated: boolean;
  /** Works a few milliseconds at most. The next piece, perhaps empty; undefined when the document is complete. */
  next(): Buffer | undefined;
  /** Ends the document early, but well-formed; `next` hands out the rest. */
  cut(): void;
  /** Frees everything at once. */
  abandon(): void;
}
