import type { Mount } from '../conformance/mount.ts';
import { expressMount } from './express.ts';
import { fastifyMount } from './fastify.ts';
import { fetchMount } from './fetch.ts';
import { honoMount } from './hono.ts';
import { hostMount } from './host.ts';
import { koaMount } from './koa.ts';
import { nestMounts } from './nest.ts';
import { nodeMount } from './node.ts';

/** All that bean inspection is tested in. */
export const mounts: readonly Mount[] = [
  expressMount(),
  fastifyMount,
  koaMount,
  honoMount,
  ...nestMounts,
  nodeMount,
  fetchMount,
  hostMount,
];
