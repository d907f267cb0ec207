import { brotliDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { Zone } from '../zones/zone.ts';
import { BrotliPages } from './brotli-pages.ts';
import { cutPage } from './page-cut.ts';
import { PageFrame } from './page-frame.ts';
import type { LocaleView, PageView } from './page-view.ts';

const block = (name: string) => ({ text: Buffer.from(`<${name}>`), marks: Uint32Array.of(name.length + 1) });
const blocks = { locales: block('locale'), zones: block('zone') };
const texts = { alerts: '', now: '1', offset: '0', until: '2', isZoneChosen: 'true', time: '1:02', date: 'today' };
const zone = new Zone('UTC', 0, 0);
const time = (view: PageView) => view.time.format(undefined);
const long = 'x'.repeat(257);

/** A page as a person may edit it, filled by hand. */
const edited: [string, (view: PageView) => string, string, boolean][] = [
  ['a hole at the start', (view) => `${time(view)}<p>${view.localeOptions}`, '1:02<p><locale*>', true],
  ['a hole right before options', (view) => `<p>${time(view)}${view.localeOptions}`, '<p>1:02<locale*>', true],
  ['a hole twice', (view) => `a${time(view)}b${time(view)}c`, 'a1:02b1:02c', true],
  ['a long text after a hole', (view) => `a${time(view)}${long}${view.zoneOptions}`, `a1:02${long}<zone*>`, true],
  [
    'a pair of code units far after a hole',
    (view) => `a${time(view)}${'x'.repeat(255)}🕰`,
    `a1:02${'x'.repeat(255)}🕰`,
    true,
  ],
  ['a hole after the options', (view) => `${view.zoneOptions}${time(view)}`, '<zone*>1:02', true],
  [
    'holes on both sides of options',
    (view) => `${time(view)}${view.zoneOptions}${time(view)}`,
    '1:02<zone*>1:02',
    false,
  ],
  ['no hole', (view) => `<p>${view.zoneOptions}`, '<p><zone*>', false],
];

it.each(edited)('puts a template with %s together as it is', async (_, page, expected, hasGap) => {
  const frame = new PageFrame(cutPage({ page }, {} as LocaleView, blocks), 0, () => 0);
  const marked = expected.replaceAll('*', ' selected="selected"');
  expect(Buffer.concat(frame.identity(texts, zone)).toString()).toBe(marked);
  expect(frame.hasGap).toBe(hasGap);
  if (!hasGap) return;
  const pair = { locale: { languageTag: 'en' } as never, zone };
  const body = await new BrotliPages().page(frame, texts, pair, false);
  expect(
    brotliDecompressSync(body ?? '')
      .toString()
      .replaceAll(/ {2,}/g, ''),
  ).toBe(marked);
});
