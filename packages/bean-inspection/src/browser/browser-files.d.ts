// What scripts/build-browser-files.ts writes to browser-files.js.

export interface BrowserFile {
  readonly name: string;
  /** Compressed, in base64. */
  readonly gzip: string;
}

export declare const style: BrowserFile;
export declare const script: BrowserFile;
