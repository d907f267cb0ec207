import { describe } from 'vitest';
import { describeMount } from './conformance/suite.ts';
import { expressMount } from './mounts/express.ts';
import { fastifyMount } from './mounts/fastify.ts';
import { honoMount } from './mounts/hono.ts';
import { hostMount } from './mounts/host.ts';
import { koaMount } from './mounts/koa.ts';
import { nestMounts } from './mounts/nest.ts';
import { nodeMount } from './mounts/node.ts';

describe('bean inspection', () => {
  for (const mount of [
    nodeMount,
    expressMount(5),
    expressMount(4),
    fastifyMount,
    koaMount,
    honoMount,
    ...nestMounts,
    hostMount,
  ])
    describeMount(mount);
});
