import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { NameTexts } from '../tables/table-texts.ts';
import { Zone } from '../zones/zone.ts';
import { LocalePage } from './locale-page.ts';
import type { LocaleView, PageView } from './page-template.ts';
import { splitTemplate } from './split-template.ts';

const block = (name: string) => ({ text: Buffer.from(`<${name}>`), marks: Uint32Array.of(name.length + 1) });
const blocks = { locales: block('locale'), zones: block('zone') };
const moment = { now: '1', offset: '0', until: '2', isZoneChosen: 'true', time: '1:02', date: 'today', format: '{}' };
const texts = { alerts: '', ...moment, link: '/', zoneName: 'UTC', difference: '' };
const names = new NameTexts(Buffer.from('UTC'));
const zone = new Zone('UTC', 0, 0);
const time = (view: PageView) => view.time.format(undefined);
const long = 'x'.repeat(257);

/** A page as a person may edit it, filled by hand. */
const edited: [string, (view: PageView) => string, string][] = [
  ['a slot at the start', (view) => `${time(view)}<p>${view.localeOptions}`, '1:02<p><locale*>'],
  ['a slot right before options', (view) => `<p>${time(view)}${view.localeOptions}`, '<p>1:02<locale*>'],
  ['a slot twice', (view) => `a${time(view)}b${time(view)}c`, 'a1:02b1:02c'],
  ['a long text after a slot', (view) => `a${time(view)}${long}${view.zoneOptions}`, `a1:02${long}<zone*>`],
  ['a pair of code units far after a slot', (view) => `a${time(view)}${'x'.repeat(255)}🕰`, `a1:02${'x'.repeat(255)}🕰`],
  ['a slot after the options', (view) => `${view.zoneOptions}${time(view)}`, '<zone*>1:02'],
  ['slots on both sides of options', (view) => `${time(view)}${view.zoneOptions}${time(view)}`, '1:02<zone*>1:02'],
  ['no slot', (view) => `<p>${view.zoneOptions}`, '<p><zone*>'],
];

it.each(edited)('a template with %s is joined to the same page in both encodings', async (_, page, expected) => {
  const localePage = new LocalePage(splitTemplate({ page }, {} as LocaleView, blocks), 0, () => 0, names);
  const marked = expected.replaceAll('*', ' selected="selected"');
  expect(Buffer.concat(localePage.identity(texts, zone)).toString()).toBe(marked);
  expect(gunzipSync(Buffer.concat(await localePage.gzip(texts, zone))).toString()).toBe(marked);
});
