/** The folder of this package, as seen from its sources as well as from what is built of them. */
export const packageFolder = new URL('../', import.meta.url);
