import { createRequire } from 'node:module';
import type express from 'express';
import { describe } from 'vitest';
import { describeMount } from '../../frameworks/conformance/suite.ts';
import { describeExamples } from '../../frameworks/describe-examples.ts';
import { expressMount } from '../../frameworks/mounts/express.ts';
import { exampleWithOlder } from './older-versions.ts';

const require = createRequire(new URL('express-4/', import.meta.url));

describe('bean inspection', () => describeMount(expressMount(4, require('express') as typeof express)));

describeExamples([['examples/express with Express 4', () => exampleWithOlder('express', 'express-4')]]);
