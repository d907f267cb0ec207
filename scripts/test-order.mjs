import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import { kindOf } from './test-kinds.mjs';

/** Vitest starts other workers for another project, so the files of each come together. */
const turnOf = ({ isQuick, isOnSources } = {}) => (isOnSources ? 3 : isQuick ? 2 : 1);

/** From 0 to 1, by chance. */
const drawn = (text) => createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;

/**
 * Files run in random order, that of the seed: those of the slow kinds first. Among these, kinds that compute are mixed with
 * kinds that wait, so that the cores always have something to do; but none that takes long is among the last.
 */
export class TestOrder extends BaseSequencer {
  async sort(files) {
    const { root, sequence } = this.ctx.config;
    const placed = files.map((file) => {
      const path = relative(root, file.moduleId);
      const kind = kindOf(path);
      return { file, place: turnOf(kind) + drawn(`${sequence.seed} ${path}`) * (kind?.isLong ? 0.7 : 1) };
    });
    return placed.sort((one, other) => one.place - other.place).map(({ file }) => file);
  }
}
