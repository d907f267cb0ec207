import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const built = (name: string) => fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url));

/** What a module prints that has a process of its own, since it changes what others there would load. */
async function printed(source: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source]);
  return JSON.parse(stdout);
}

it('useBundledDependencies gives the host a Fastify that serves, validates and injects, from one file', async () => {
  const source = `
    import { createRequire } from 'node:module';
    const { useBundledDependencies } = await import('${built('bundled-dependencies')}');
    useBundledDependencies();
    const require = createRequire('${import.meta.resolve('@jig/application')}');
    const imported = (await import(require.resolve('fastify'))).default;
    const files = Object.keys(require.cache).length;
    const app = require('fastify')();
    const schema = { querystring: { type: 'object', required: ['name'] } };
    app.get('/', { schema }, async ({ query }) => ({ hello: query.name }));
    const answers = await Promise.all(['/?name=you', '/'].map((url) => app.inject(url)));
    console.log(JSON.stringify({
      files,
      isSame: imported === require('fastify'),
      version: app.version === require('fastify/package.json').version,
      answers: answers.map(({ statusCode, body }) => \`\${statusCode} \${JSON.parse(body).hello}\`),
    }));`;
  expect(await printed(source)).toEqual({
    files: 3,
    isSame: true,
    version: true,
    answers: ['200 you', '400 undefined'],
  });
});
