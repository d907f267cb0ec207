import { fileURLToPath } from 'node:url';
import { describeExamples } from './describe-examples.ts';
import { frameworks } from './frameworks.ts';

const built = (example: string) => fileURLToPath(new URL(`../../examples/${example}/dist/main.js`, import.meta.url));

describeExamples(
  frameworks.flatMap(({ examples = [] }) =>
    examples.map((example) => [`examples/${example}`, async () => built(example)] as const),
  ),
);
