import { readFileSync } from 'node:fs';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startApplication } from '../../../packages/application/test-fixtures/running-application.ts';
import { type Answer, asJig, askFor } from './answers.ts';
import { type PluginCase, pluginCases } from './plugin-cases.ts';

/** A server for the plugins that pass requests on. */
const upstream = fastify();
let upstreamUrl: string;

beforeAll(async () => {
  upstream.get('/hello', async () => 'hello from upstream');
  upstream.setNotFoundHandler((_request, reply) => reply.code(404).send('nothing upstream'));
  upstream.post('/echo', async (request) => request.body);
  upstreamUrl = await upstream.listen({ port: 0, host: '127.0.0.1' });
});

afterAll(() => upstream.close());

const lineOf = ([path, options]: PluginCase['requests'][number]) => `${options?.method ?? 'GET'} ${path}`;

async function answers(
  url: string,
  { requests, changing = [], changingText }: PluginCase,
): Promise<[string, Answer][]> {
  const answered: [string, Answer][] = [];
  for (const request of requests)
    answered.push([lineOf(request), await askFor(url, request, new Set(changing), changingText)]);
  return answered;
}

async function onFastify(pluginCase: PluginCase, look: (url: string) => Promise<void>): Promise<void> {
  const server = fastify({ forceCloseConnections: true });
  await server.register(async (scope) => pluginCase.use(scope, upstreamUrl));
  try {
    await look(await server.listen({ port: 0, host: '127.0.0.1' }));
  } finally {
    await server.close();
  }
}

async function inJig(pluginCase: PluginCase, look: (url: string) => Promise<void>): Promise<void> {
  const routes = async (server: FastifyInstance) => pluginCase.use(server, upstreamUrl);
  await using application = await startApplication([{ name: 'plugin', register: (host) => host.routes(routes) }]);
  await look(application.url);
}

describe.each(pluginCases.map((each) => [each.packages.join(' with '), each] as const))('%s', (_name, pluginCase) => {
  it('answers inside host.routes as on plain Fastify', async () => {
    let expected: [string, Answer][] = [];
    let actual: [string, Answer][] = [];
    await onFastify(pluginCase, async (url) => {
      expected = await answers(url, pluginCase);
    });
    await inJig(pluginCase, async (url) => {
      actual = await answers(url, pluginCase);
    });
    const { differs = {} } = pluginCase;
    for (const [index, [line, answer]] of expected.entries()) {
      if (differs[line] === undefined) expect(actual[index]).toEqual([line, asJig(answer)]);
      else expect(actual[index]).not.toEqual([line, asJig(answer)]);
    }
    expect(Object.keys(differs).filter((line) => !expected.some(([each]) => each === line))).toEqual([]);
  });
});

describe('@fastify/websocket', () => {
  it('exchanges messages inside host.routes', async () => {
    const pluginCase = pluginCases.find(({ packages }) => packages.includes('@fastify/websocket'));
    expect(pluginCase).toBeDefined();
    if (pluginCase === undefined) return;
    for (const run of [onFastify, inJig]) {
      await run(pluginCase, async (url) => {
        const socket = new WebSocket(`${url.replace('http', 'ws')}/echo`);
        const message = new Promise((resolve, reject) => {
          socket.on('open', () => socket.send('hello'));
          socket.on('message', (data: Buffer) => resolve(data.toString()));
          socket.on('error', reject);
        });
        expect(await message).toBe('echo hello');
        socket.close();
      });
    }
  });
});

describe('docs/plugins.md', () => {
  const page = readFileSync(new URL('../../../docs/plugins.md', import.meta.url), 'utf8');
  const [, section = ''] = /\n## What is tested\n(.*?)\n## /s.exec(page) ?? [];
  const versionOf = (name: string): string =>
    JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), 'utf8')).version;

  it('lists the tested plugins with the tested versions', () => {
    const listed = [...section.matchAll(/`([^`]+)` (\d+)/g)].map(([, name, version]) => `${name} ${version}`);
    const tested = pluginCases.flatMap(({ packages }) => packages);
    expect(listed.sort()).toEqual(tested.map((name) => `${name} ${versionOf(name).split('.')[0]}`).sort());
  });

  it('documents intended differences', () => {
    const lines = section.split('\n');
    for (const { packages, differs = {} } of pluginCases) {
      const row = lines.find((line) => line.startsWith(`| \`${packages[0]}\` `)) ?? '';
      for (const reason of Object.values(differs)) expect(row).toContain(reason);
    }
  });
});
