import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as common from '@nestjs/common';
import type * as core from '@nestjs/core';
import { describe } from 'vitest';
import { describeMount } from '../../frameworks/conformance/suite.ts';
import { describeExamples } from '../../frameworks/describe-examples.ts';
import { describeNestSource } from '../../frameworks/describe-nest-source.ts';
import { type Nest, nestMount } from '../../frameworks/mounts/nest.ts';
import { exampleWithOlder, folderWithOlder } from './older-versions.ts';

const require = createRequire(new URL('nest-11/', import.meta.url));

let loaded: Promise<Nest> | undefined;

/** Nest 11 and bean inspection beside it, in a folder of their own. */
async function loadNest(): Promise<Nest> {
  const requireThere = createRequire(join(await folderWithOlder('nest-11'), 'main.cjs'));
  return {
    common: requireThere('@nestjs/common') as typeof common,
    core: requireThere('@nestjs/core') as typeof core,
    FastifyAdapter: requireThere('@nestjs/platform-fastify').FastifyAdapter,
    BeanInspectionModule: requireThere('@jig/bean-inspection/nest').BeanInspectionModule,
  };
}

const load = () => {
  loaded ??= loadNest();
  return loaded;
};

describe('bean inspection', () => {
  for (const platform of ['Express', 'Fastify'] as const) describeMount(nestMount(platform, 11, load));
});

describeNestSource({
  version: 11,
  common: require('@nestjs/common') as typeof common,
  core: require('@nestjs/core') as typeof core,
});

describeExamples([['examples/nest-commonjs with Nest 11', () => exampleWithOlder('nest-commonjs', 'nest-11')]]);
