// npm run docs: writes the documents that are made from the code.
import { writeFile } from 'node:fs/promises';
import { configurationPage, errorsPage } from './generated-documents.ts';
import { licencesPage } from './licences.ts';

const docs = new URL('../docs/', import.meta.url);
await writeFile(new URL('configuration.md', docs), await configurationPage());
await writeFile(new URL('errors.md', docs), await errorsPage());
await writeFile(new URL('licences.md', docs), await licencesPage());
console.log('Wrote docs/configuration.md, docs/errors.md and docs/licences.md.');
