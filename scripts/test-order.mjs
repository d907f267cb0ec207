import { createHash } from 'node:crypto';
import { BaseSequencer } from 'vitest/node';
import { projects } from './test-projects.mjs';

const names = projects.map(({ name }) => name);

/**
 * Files run project by project, in the order of scripts/test-projects.mjs, since files of the same project can share
 * what they load; within a project in random order, that of the seed.
 */
export class TestOrder extends BaseSequencer {
  async sort(files) {
    const { root, sequence } = this.ctx.config;
    const places = new Map(
      files.map((file) => {
        const path = file.moduleId.slice(root.length);
        const place = createHash('sha256').update(`${sequence.seed} ${path}`).digest('hex');
        return [file, [String(names.indexOf(file.project.name)).padStart(3, '0'), place].join(' ')];
      }),
    );
    return [...files].sort((one, other) => (places.get(one) < places.get(other) ? -1 : 1));
  }
}
