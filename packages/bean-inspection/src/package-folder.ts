/** The folder of this package, as seen from its sources as well as from what is built of them. In a bundle of CommonJS there is no address to see it from. */
export const packageFolder = () => new URL('../', import.meta.url);
