import { readFileSync } from 'node:fs';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { startApplication } from '../../packages/application/test-fixtures/running-application.ts';
import { type Answer, asJig, askFor } from './answers.ts';
import { type Example, examples } from './fastify-examples.ts';

async function answers(url: string, { requests }: Example): Promise<[string, Answer][]> {
  const answered: [string, Answer][] = [];
  for (const request of requests)
    answered.push([`${request[1]?.method ?? 'GET'} ${request[0]}`, await askFor(url, request, new Set())]);
  return answered;
}

async function onFastify(example: Example): Promise<[string, Answer][]> {
  const server = fastify({ forceCloseConnections: true });
  server.register(example.use);
  try {
    return await answers(await server.listen({ port: 0, host: '127.0.0.1' }), example);
  } finally {
    await server.close();
  }
}

async function inJig(example: Example): Promise<[string, Answer][]> {
  await using application = await startApplication([{ name: 'example', register: (host) => host.routes(example.use) }]);
  return await answers(application.url, example);
}

describe('an application of the documentation of Fastify', () => {
  it.each(examples.map((example) => [example.name, example] as const))(
    'answers in host.routes as on Fastify: %s',
    async (_name, example) => {
      const [expected, actual] = await Promise.all([onFastify(example), inJig(example)]);
      const { differs = {} } = example;
      const wrong = expected.filter(([line], index) => {
        const isEqual = matches(actual[index]?.[1], asJig(expected[index]?.[1] as Answer));
        return isEqual !== (differs[line] === undefined);
      });
      if (wrong.length > 0) expect(actual).toEqual(expected.map(([line, answer]) => [line, asJig(answer)]));
      expect(wrong).toEqual([]);
      expect(Object.keys(differs).filter((line) => !expected.some(([each]) => each === line))).toEqual([]);
    },
  );
});

function matches(actual: unknown, expected: unknown): boolean {
  try {
    expect(actual).toEqual(expected);
    return true;
  } catch {
    return false;
  }
}

it('docs/plugins.md lists every deliberate difference', () => {
  const page = readFileSync(new URL('../../docs/plugins.md', import.meta.url), 'utf8');
  for (const { differs = {} } of examples) for (const reason of Object.values(differs)) expect(page).toContain(reason);
});
