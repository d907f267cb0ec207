/** Files of one library, served under a path that holds the library's version. */
export interface PublishedLibrary {
  readonly library: string;
  readonly version: string;
  /** File names to where they lie. */
  readonly files: Readonly<Record<string, URL>>;
}
