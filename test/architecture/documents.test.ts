import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { configurationPage, errorsPage } from '../../scripts/generated-documents.ts';
import { licencesPage } from '../../scripts/licences.ts';

const page = (name: string) => readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

describe('a document made from the code is up to date (npm run docs writes it)', () => {
  it('docs/configuration.md', async () => expect(await page('configuration.md')).toBe(await configurationPage()));
  it('docs/errors.md', async () => expect(await page('errors.md')).toBe(await errorsPage()));
  it('docs/licences.md', async () => expect(await page('licences.md')).toBe(await licencesPage()));
});
