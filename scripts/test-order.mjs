import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import { kindOf, kinds } from './test-kinds.mjs';

/** Files run kind by kind, in the order of scripts/test-kinds.mjs; those of a kind in random order, that of the seed. */
export class TestOrder extends BaseSequencer {
  async sort(files) {
    const { root, sequence } = this.ctx.config;
    const places = new Map(
      files.map((file) => {
        const path = relative(root, file.moduleId);
        const place = createHash('sha256').update(`${sequence.seed} ${path}`).digest('hex');
        return [file, [String(kinds.indexOf(kindOf(path))).padStart(3, '0'), place].join(' ')];
      }),
    );
    return [...files].sort((one, other) => (places.get(one) < places.get(other) ? -1 : 1));
  }
}
