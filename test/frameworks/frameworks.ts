import type { Mount } from './conformance/mount.ts';
import { expressMount } from './mounts/express.ts';
import { fastifyMount } from './mounts/fastify.ts';
import { fetchMount } from './mounts/fetch.ts';
import { honoMount } from './mounts/hono.ts';
import { hostMount } from './mounts/host.ts';
import { koaMount } from './mounts/koa.ts';
import { nestMounts } from './mounts/nest.ts';
import { nodeMount } from './mounts/node.ts';

export interface Framework {
  /** As documents call it. */
  readonly name: string;
  /** What of `@jig/bean-inspection` mounts in it. */
  readonly entry?: string;
  readonly mounts: readonly Mount[];
  /** Folders of `examples/`. */
  readonly examples?: readonly string[];
  /** Whether a body parser stands before the mount. */
  readonly readsBodies?: boolean;
}

/** All that bean inspection is tested in. To add a framework, write a file in `mounts/` and a line here. */
export const frameworks: readonly Framework[] = [
  {
    name: 'Express',
    entry: './express',
    mounts: [expressMount()],
    examples: ['express'],
    readsBodies: true,
  },
  { name: 'Fastify', entry: './fastify', mounts: [fastifyMount], examples: ['fastify'] },
  { name: 'Koa', entry: './koa', mounts: [koaMount], examples: ['koa'] },
  { name: 'Hono', entry: './hono', mounts: [honoMount], examples: ['hono'] },
  { name: 'Nest', entry: './nest', mounts: nestMounts, examples: ['nest', 'nest-commonjs'] },
  { name: '`node:http`', entry: '.', mounts: [nodeMount] },
  { name: 'fetch handlers', entry: './fetch', mounts: [fetchMount] },
  { name: 'Jig', mounts: [hostMount] },
];
