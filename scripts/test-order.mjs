import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import { kindOf } from './test-kinds.mjs';

/** Vitest starts other workers for another project, so the files of each come together. */
const turnOf = ({ isQuick, isOnSources } = {}) => (isOnSources ? 3 : isQuick ? 2 : 1);

/**
 * Files run in random order, that of the seed, those of the slow kinds first: kinds that compute are mixed with kinds that
 * wait, so that the cores always have something to do, and none that takes long is among the last.
 */
export class TestOrder extends BaseSequencer {
  async sort(files) {
    const { root, sequence } = this.ctx.config;
    const placeOf = ({ moduleId }) => {
      const path = relative(root, moduleId);
      const drawn = createHash('sha256').update(`${sequence.seed} ${path}`).digest().readUInt32BE() / 2 ** 32;
      return turnOf(kindOf(path)) + drawn * (kindOf(path)?.isLong ? 0.7 : 1);
    };
    return [...files].sort((one, other) => placeOf(one) - placeOf(other));
  }
}
