import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import { kindOf } from './test-kinds.mjs';

/** Vitest starts other workers for another project, so the files of each come together. */
const turnOf = ({ isLong, isQuick, isOnSources } = {}) => (isLong ? 1 : isOnSources ? 4 : isQuick ? 3 : 2);

/**
 * Files run in random order, that of the seed: those of the kinds that take long first, those of the quick kinds last.
 * Otherwise kinds that compute are mixed with kinds that wait, so that the cores always have something to do.
 */
export class TestOrder extends BaseSequencer {
  async sort(files) {
    const { root, sequence } = this.ctx.config;
    const placeOf = ({ moduleId }) => {
      const path = relative(root, moduleId);
      return `${turnOf(kindOf(path))} ${createHash('sha256').update(`${sequence.seed} ${path}`).digest('hex')}`;
    };
    return [...files].sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  }
}
