import { describe } from 'vitest';
import { describeMount } from './conformance/suite.ts';
import { frameworks } from './frameworks.ts';

describe('bean inspection', () => {
  for (const { mounts } of frameworks) for (const mount of mounts) describeMount(mount);
});
