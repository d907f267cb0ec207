import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { OfferedLocale } from '../locales/offered-locale.ts';
import { Zone } from '../zones/zone.ts';
import { BrotliFrame } from './brotli-frame.ts';
import { BrotliPages } from './brotli-pages.ts';
import type { HoleTexts } from './moment-text.ts';
import type { PageFrame } from './page-frame.ts';

const texts: HoleTexts = { alerts: '', now: '', offset: '', until: '', isZoneChosen: '', time: '', date: '' };
const pair = { locale: new OfferedLocale('en'), zone: new Zone('UTC', 0, 0) };
const gap = Buffer.from('now');

function frameThatFails(times: number) {
  let failures = 0;
  const brotli = (_zone: Zone, length: number) => {
    if (failures++ < times) return Promise.reject(new Error('no memory left'));
    return BrotliFrame.of(Buffer.from('before'), length, Buffer.from('af'), Buffer.from('after'));
  };
  return { brotli, brotliGap: () => gap } as unknown as PageFrame;
}

describe('BrotliPages', () => {
  it('survives a failure that nobody waits for, and tries again', async () => {
    const pages = new BrotliPages();
    const frame = frameThatFails(2);
    for (let time = 0; time < 2; time++) {
      expect(await pages.page(frame, texts, pair, true)).toBeUndefined();
      await nextTurn();
    }
    await expect.poll(() => pages.page(frame, texts, pair, true)).toBeInstanceOf(Buffer);
  });

  it('tells those who wait for it', async () => {
    await expect(new BrotliPages().page(frameThatFails(1), texts, pair, false)).rejects.toThrow('no memory left');
  });
});
