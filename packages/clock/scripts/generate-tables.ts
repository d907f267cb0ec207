import { writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { makeTables } from './tables/make-tables.ts';

const { index, text } = makeTables();
const folder = new URL('../data/', import.meta.url);
const compressed = brotliCompressSync(text, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
});
writeFileSync(new URL('tables.json', folder), `${JSON.stringify(index)}\n`);
writeFileSync(new URL('tables.br', folder), compressed);
console.log(
  `${index.lengths.names.length} lists of names, ${text.length} characters, ${compressed.length} bytes compressed`,
);
