import { BoundedCache } from '@jig/application';
import type { OfferedLocale } from '../locales/offered-locale.ts';
import type { Zone } from '../zones/zone.ts';
import type { BrotliFrame } from './brotli-frame.ts';
import type { HoleTexts } from './moment-text.ts';
import type { PageFrame } from './page-frame.ts';

const mostFrames = 200;
/** Room for a longer time, a longer date. */
const spareBytes = 64;

interface Pair {
  readonly locale: OfferedLocale;
  readonly zone: Zone;
}

/**
 * Pages in Brotli, which cannot be joined from parts as those in gzip can: each pair of locale and zone is compressed
 * once, off the main thread. Those who take gzip as well do not wait for it.
 */
export class BrotliPages {
  readonly #frames = new BoundedCache<BrotliFrame>(mostFrames);
  #isBusy = false;

  async page(frame: PageFrame, texts: HoleTexts, pair: Pair, mayRefuse: boolean): Promise<Buffer | undefined> {
    const key = `${pair.locale.languageTag} ${pair.zone.id}`;
    const gap = frame.brotliGap(texts);
    const known = this.#frames.get(key);
    if (known) {
      const filled = known.fill(gap);
      if (filled || mayRefuse) return filled;
    }
    const length = gap.length + spareBytes;
    const make = () => frame.brotli(pair.zone, length);
    if (!mayRefuse) return (await this.#keep(key, make)).fill(gap);
    if (!this.#isBusy) {
      this.#isBusy = true;
      const release = () => {
        this.#isBusy = false;
      };
      // Nobody waits for it: whoever comes after a failure gets gzip once more.
      this.#keep(key, make).then(release, release);
    }
    return undefined;
  }

  async #keep(key: string, make: () => Promise<BrotliFrame>): Promise<BrotliFrame> {
    const frame = await make();
    this.#frames.set(key, frame);
    return frame;
  }
}
