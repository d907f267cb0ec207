import { describe } from 'vitest';
import { describeMount } from './conformance/suite.ts';
import { mounts } from './mounts/all.ts';

describe('bean inspection', () => {
  for (const mount of mounts) describeMount(mount);
});
