import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer as createHttpServer, Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { instancesOf, runtimeFolder, startApplication } from './start-application.ts';

const get = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, { headers });
  return { status: answer.status, instance: answer.headers.get('jig-instance'), text: await answer.text() };
};
const html = { accept: 'text/html' };

describe('one process', () => {
  it('has its usual addresses, and a header with its id', async () => {
    await using application = await startApplication('single');
    const { url, process: child } = application;
    const { text, instance } = await get(`${url}/jig/bean/who.html`, html);
    expect(text).not.toContain('instance=');
    expect(text).toContain(`title="Instance ${instance}"`);
    expect(instance).toMatch(new RegExp(`-${child.pid}$`));
    expect(await instancesOf(url)).toEqual([expect.objectContaining({ id: instance, label: `pid ${child.pid}` })]);
    expect(JSON.parse((await get(`${url}/jig/bean/who.json?instance=${instance}`)).text)).toEqual({ pid: child.pid });
    const all = JSON.parse((await get(`${url}/jig/bean/who.json?instance=all`)).text);
    expect(all).toEqual({ [instance ?? '']: { pid: child.pid } });
    expect((await get(`${url}/jig/bean/who.html?instance=all`)).text).toContain('nothing to compare with');
    const [file] = readdirSync(join(application.runtime, 'jig')).filter((name) => name.endsWith('.json'));
    const announcement = JSON.parse(readFileSync(join(application.runtime, 'jig', file ?? ''), 'utf8'));
    expect(announcement).toMatchObject({ application: 'shop', addresses: [url.replace('127.0.0.1', 'localhost')] });
  });

  it.each([
    ['production', { NODE_ENV: 'production' }, '{"enabled":true}'],
    ['a test', { NODE_ENV: 'test' }, '{}'],
    ['development, with announce: false', {}, '{"announce":false}'],
    ['development, when it is not enabled', {}, '{"enabled":false}'],
  ])('announces nothing in %s', async (_where, environment, options) => {
    await using application = await startApplication('single', { environment, arguments: [options] });
    expect(readdirSync(application.runtime)).toEqual([]);
    if (options.includes('enabled":false')) return;
    const { status, text } = await get(`${application.url}/jig/bean?instance=other`);
    expect([status, text]).toEqual([404, expect.stringContaining('this process does not announce itself')]);
  });

  it.each([
    ['ends by itself', ''],
    ['calls process.exit', 'process.exit(0)'],
  ])('is not kept alive by its socket, and leaves nothing when it %s', async (_how, end) => {
    const runtime = runtimeFolder();
    const script = `import { beanInspection } from '@jig/bean-inspection/express'; beanInspection({ a: {} }); ${end}`;
    const environment = { ...process.env, NODE_ENV: '', XDG_RUNTIME_DIR: runtime };
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], { env: environment });
    expect(readdirSync(join(runtime, 'jig'))).toEqual([]);
    await rm(runtime, { recursive: true });
  });
});

describe('processes of one application', () => {
  it('see each other but none of another name, and remove the files of a killed one', async () => {
    await using first = await startApplication('single');
    const { runtime } = first;
    const folder = join(runtime, 'jig');
    await using other = await startApplication('single', { runtime, arguments: ['{"application":"blog"}'] });
    const second = await startApplication('single', { runtime });
    expect(await instancesOf(first.url)).toHaveLength(2);
    expect(await instancesOf(other.url)).toHaveLength(1);
    await second[Symbol.asyncDispose]();
    // Its file and its socket are left.
    expect(readdirSync(folder)).toHaveLength(6);
    await using third = await startApplication('single', { runtime });
    const pidsOf = async () => new Set((await instancesOf(first.url)).map(({ pid }) => pid));
    expect(await pidsOf()).toEqual(new Set([first.process.pid, third.process.pid]));
    // A socket that is not two seconds old might not listen yet.
    await expect.poll(async () => (await pidsOf()) && readdirSync(folder).length, { timeout: 5000 }).toBe(6);
  });
});

describe('worker threads', () => {
  it('are shown beside their process, once they share beans', async () => {
    await using application = await startApplication('threads');
    const { url, runtime, process: child } = application;
    // Another script of the same folder, which is another application.
    await using other = await startApplication('single', { runtime });
    expect(await instancesOf(other.url)).toHaveLength(1);
    const listed = await instancesOf(url);
    expect(listed.map(({ label }) => label)).toEqual([`pid ${child.pid}`, 'thread 1', 'thread 2']);
    const all = JSON.parse((await get(`${url}/jig/bean/who.json?instance=all&at=/thread`)).text);
    expect(Object.values(all)).toEqual([0, 1, 2]);
    const [, thread] = listed;
    const queue = await get(`${url}/jig/bean/queue.json?instance=${thread?.id}`);
    expect([queue.instance, queue.text]).toEqual([thread?.id, '{"length":1}']);
    await get(`${url}/end`);
    const left = JSON.parse((await get(`${url}/jig/bean/who.json?instance=all&at=/thread`)).text);
    expect(Object.values(left)).toEqual([0, 2]);
  });
});

describe('an instance that is not what it says', () => {
  const kinds: Readonly<Record<string, (id: string) => Server>> = {
    garbage: () => createServer((socket) => socket.on('error', () => {}).end('not HTTP at all\r\n\r\n')),
    silent: () => createServer((socket) => socket.on('error', () => {})),
    stranger: () => createHttpServer((_request, response) => response.end('{}')),
    'not-json': (id) => createHttpServer((_request, response) => response.setHeader('Jig-Instance', id).end('{"a":')),
    endless: (id) =>
      createHttpServer((_request, response) => {
        response.setHeader('Jig-Instance', id).setHeader('content-type', 'application/json');
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
          response.once('drain', more);
        };
        more();
      }),
  };

  it('is reported, and the others are shown', async () => {
    await using application = await startApplication('single');
    const { url, runtime, process: child } = application;
    const folder = join(runtime, 'jig');
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.json'));
    const own = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const servers = Object.entries(kinds).map(([id, make], index) => {
      const key = `${process.pid.toString(36)}-${index}-fake-1`;
      writeFileSync(join(folder, `${key}.json`), JSON.stringify({ ...own, id, label: id }));
      return make(id).listen(join(folder, `${key}.sock`));
    });
    const all = JSON.parse((await get(`${url}/jig/bean/who.json?instance=all`)).text);
    expect(all).toEqual({
      [own.id]: { pid: child.pid },
      garbage: '[Instance answered with what is not HTTP]',
      silent: '[Instance did not answer within 1 s]',
      stranger: '[Instance answered with something else]',
      'not-json': '[Instance answered with garbage]',
      endless: expect.stringMatching(/^\[Instance (?:answered with more than 4 MB|did not answer within 1 s)\]$/),
    });
    expect((await get(`${url}/jig/bean/who.html?instance=all`, html)).text).toContain('is not compared');
    expect((await get(`${url}/jig/bean/who.json?instance=garbage`)).status).toBe(502);
    expect((await get(`${url}/jig/bean/who.json?instance=stranger`)).status).toBe(502);
    // Passed on as it comes, no faster than it is read.
    const endless = await fetch(`${url}/jig/bean/who.json?instance=endless`);
    let size = 0;
    for await (const chunk of endless.body ?? []) {
      size += chunk.length;
      if (size > 50 * 2 ** 20) break;
    }
    const [, memory = ''] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
    expect(Number(memory)).toBeLessThan(300_000);
    for (const server of servers) {
      server.close();
      if (server instanceof HttpServer) server.closeAllConnections();
    }
  });
});

/** A user without rights, whose processes only root can start. */
const nobody = 65_534;

it.runIf(process.getuid?.() === 0)('another user who created the folder first sees nothing', async () => {
  const runtime = runtimeFolder();
  const folder = join(runtime, 'jig');
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  chownSync(folder, nobody, nobody);
  const temporary = join(runtime, `jig-${process.getuid?.()}`);
  mkdirSync(temporary);
  chownSync(temporary, nobody, nobody);
  await using application = await startApplication('single', { runtime, environment: { TMPDIR: runtime } });
  expect([readdirSync(folder), readdirSync(temporary)]).toEqual([[], []]);
  expect((await get(`${application.url}/jig/bean?instance=x`)).text).toContain('as a folder of this user alone');
  await rm(runtime, { recursive: true });
});
