/** Ways to write one document, by the name of the package. */
export type Writers = Readonly<Record<string, () => Buffer>>;
