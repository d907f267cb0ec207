import { clientsAndLogs } from './clients-and-logs.ts';
import { databases } from './databases.ts';
import { frameworks } from './frameworks.ts';
import { jobsAndLimits } from './jobs-and-limits.ts';
import { node } from './node.ts';
import { poolsAndCaches } from './pools-and-caches.ts';
import { redisAndQueues } from './redis-and-queues.ts';
import { stores } from './stores.ts';
import { symbols, value } from './values.ts';
import type { View } from './view.ts';
import { web } from './web.ts';

const libraries = [databases, redisAndQueues, poolsAndCaches, clientsAndLogs, jobsAndLimits, stores, frameworks].flat();

/** The first match is used, so libraries come before the classes of Node that they extend. */
export const builtInViews: readonly View[] = [...libraries, value, ...web, ...node, symbols];
