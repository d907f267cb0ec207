import { fileURLToPath } from 'node:url';
import { describeExamples } from './describe-examples.ts';

const built = (example: string) => fileURLToPath(new URL(`../../examples/${example}/dist/main.js`, import.meta.url));

describeExamples(
  ['express', 'fastify', 'koa', 'hono', 'nest', 'nest-commonjs'].map(
    (example) => [`examples/${example}`, async () => built(example)] as const,
  ),
);
