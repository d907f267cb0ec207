import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { failInProcess, type InProcessOptions, startInProcess } from '../support/in-process.ts';
import { mainWith, makeApplication } from '../support/make-application.ts';
import { runService, startService, withoutDatabase } from '../support/start-service.ts';

const folders: string[] = [];

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'jig-start-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** A sentence for a person: one line, no stack. */
const sentence = (text: string) => {
  expect(text.trim().split('\n')).toHaveLength(1);
  return text.trim();
};

/** What a start that fails in this process says; the tests of the first two show that its process prints it and ends. */
async function sentenceInProcess(options: InProcessOptions): Promise<string> {
  return sentence((await failInProcess(options)).stderr);
}

describe('a start that cannot succeed ends with exit code 1 and one sentence', () => {
  it('for a port that is not a number', async () => {
    const { exitCode, stdout, stderr } = await runService({ environment: { PORT: 'abc' } });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(sentence(stderr)).toBe(
      'Jig could not start: Setting server.port got "abc" (environment variable PORT); expected an integer from 0 to 65535. [JIG_SETTING_INVALID]',
    );
  });

  it('for a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { exitCode, stderr } = await runService({ environment: { ...withoutDatabase, PORT: String(port) } });
    other.close();
    expect(exitCode).toBe(1);
    expect(sentence(stderr)).toContain(
      `Cannot listen on port ${port} of 127.0.0.1: listen EADDRINUSE: address already in use 127.0.0.1:${port}; HOST and PORT choose another: \`PORT=0 npm start\` takes any free one.`,
    );
  });

  it.each([
    ['/tmp', '/tmp cannot be used: EISDIR: '],
    ['nowhere/mine.json', 'nowhere/mine.json cannot be used: ENOENT: no such file'],
  ])('for the configuration file %s, named as given', async (file, expected) => {
    expect(await sentenceInProcess({ flags: ['--config', file] })).toContain(`Jig could not start: ${expected}`);
  });
});

describe('flags that only print', () => {
  it('--help lists every setting with its default and its variable', async () => {
    const { exitCode, stdout } = await runService({ flags: ['--help'] });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /--server\.port, --port\n.*The port to listen on.*\n\s+PORT; default 8080; an integer from 0 to 65535/,
    );
  });

  it('--version prints the version', async () => {
    const { exitCode, stdout } = await runService({ flags: ['--version'] });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

const slowMain = mainWith(`[{
  name: 'slow',
  register(host) {
    host.routes(async (server) => {
      server.get('/slow', async (request, reply) => {
        reply.raw.on('close', () => console.log('slow request ended'));
        console.log('slow request began');
        await new Promise((resolve) => setTimeout(resolve, 700));
        return 'done';
      });
      server.get('/stuck', () => {
        console.log('stuck request began');
        return new Promise(() => {});
      });
      server.get('/reject', async () => {
        Promise.reject(new Error('nobody caught this'));
        return 'rejected';
      });
    });
    host.define('resource', {
      type: 'Resource',
      create: () => ({ timer: setInterval(() => {}, 1000) }),
      start() { console.log('resource started'); },
      stop() { console.log('resource stopped'); },
    });
  },
}]`);

const hangUpMain = `
import { writeFileSync } from 'node:fs';
process.on('exit', (code) => writeFileSync('exit-code', String(code)));
${mainWith(`[{
  name: 'printing',
  register(host) {
    const print = () => {
      host.log.info('a line');
      console.log('a line');
      console.error('a line');
      process.stdout.write('a line');
      process.stderr.write('a line');
    };
    host.routes(async (server) => {
      server.get('/print', async () => {
        print();
        return 'printed';
      });
    });
    host.define('resource', {
      type: 'Resource',
      create: () => ({}),
      start() {},
      async stop() {
        print();
        await new Promise((resolve) => setTimeout(resolve, 100));
        print();
        writeFileSync('stopped', 'in order');
      },
    });
  },
}]`)}`;

/** Starts an application that is removed after the test; gives its folder too. */
async function startMade(main: string, ...flags: readonly string[]) {
  const made = await makeApplication({ main });
  onTestFinished(made.remove);
  const service = await startService({ main: made.main, workingDirectory: made.folder, flags });
  return { service, folder: made.folder };
}

describe('stopping', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'by %s refuses new connections, completes requests in flight, stops the beans, and exits with 0',
    async (signal) => {
      const { service } = await startMade(slowMain);
      const answer = fetch(`${service.url}/slow`).then((response) => response.text());
      await service.printed(/slow request began/);
      const exit = service.stop(signal);
      await service.printed(new RegExp(`${signal}: stopping`));
      await expect(fetch(`${service.url}/health`, { headers: { connection: 'close' } })).rejects.toThrow();
      expect(await answer).toBe('done');
      expect(await exit).toBe(0);
      expect(service.output()).toMatch(/slow request ended[\s\S]*resource stopped/);
    },
  );

  it.runIf(process.platform === 'linux').each(['pretty', 'json'])(
    'when the terminal is closed is orderly, with the log format %s',
    async (format) => {
      const { folder, remove } = await makeApplication({ main: hangUpMain });
      const run = `exec "${process.execPath}" main.js --log.format=${format}`;
      const terminal = spawn('script', ['--quiet', '--command', run, '/dev/null'], {
        cwd: folder,
        env: { ...process.env, PORT: '0', JIG_HOME: join(folder, 'home') },
      });
      let output = '';
      terminal.stdout.on('data', (chunk) => {
        output += chunk;
      });
      await expect.poll(() => output).toContain('listening on');
      terminal.kill('SIGKILL');
      const written = (name: string) => readFile(join(folder, name), 'utf8').catch(() => 'nothing');
      await expect.poll(() => written('exit-code')).toBe('0');
      expect(await written('stopped')).toBe('in order');
      await remove();
    },
  );

  it('works when nobody reads the output', async () => {
    const { service, folder } = await startMade(hangUpMain);
    service.process.stdout?.destroy();
    service.process.stderr?.destroy();
    expect(await (await fetch(`${service.url}/print`)).text()).toBe('printed');
    expect(await (await fetch(`${service.url}/print`)).text()).toBe('printed');
    expect(await service.stop()).toBe(0);
    expect(await readFile(join(folder, 'stopped'), 'utf8')).toBe('in order');
  });

  it('aborts a request that never ends at the deadline', async () => {
    const { service } = await startMade(slowMain, '--application.stopTimeout=1s');
    const answer = fetch(`${service.url}/stuck`).catch(() => 'cut off');
    await service.printed(/stuck request began/);
    expect(await service.stop()).toBe(0);
    expect(await answer).toBe('cut off');
    expect(service.output()).toContain('resource stopped');
  });

  it('counts two signals at the same time, as npm sends them on Ctrl-C, as one', async () => {
    const { service } = await startMade(slowMain);
    const answer = fetch(`${service.url}/slow`).then((response) => response.text());
    await service.printed(/slow request began/);
    service.process.kill('SIGINT');
    await service.printed(/SIGINT: stopping/);
    expect(await service.stop('SIGINT')).toBe(0);
    expect(await answer).toBe('done');
  });

  it('ends at once on a second signal', async () => {
    const { service } = await startMade(slowMain, '--application.stopTimeout=1h');
    fetch(`${service.url}/stuck`).catch(() => {});
    await service.printed(/stuck request began/);
    service.process.kill('SIGINT');
    await service.printed(/SIGINT: stopping/);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await service.stop('SIGINT')).toBe(1);
  });

  it('after an unhandled rejection stops in order, with exit code 1', async () => {
    const { service } = await startMade(slowMain);
    const [code] = await Promise.all([once(service.process, 'close'), fetch(`${service.url}/reject`).catch(() => {})]);
    expect(code[0]).toBe(1);
    expect(service.output()).toContain('nobody caught this');
    expect(service.output()).toContain('resource stopped');
  });

  it('during the start aborts the start and waits for its cleanup', async () => {
    const output = await interruptedStart(`
      console.log('slow begins');
      return new Promise((_, reject) => signal.addEventListener('abort', () => setTimeout(() => {
        console.log('slow cleared up');
        reject(signal.reason);
      }, 300)));`);
    expect(output).toMatch(/SIGTERM: stopping[\s\S]*slow cleared up[\s\S]*first stopped[\s\S]*exit code 0$/);
  });

  it('does not wait forever for a start that ignores the abort', async () => {
    const output = await interruptedStart(`console.log('slow begins'); return new Promise(() => {});`);
    expect(output).toMatch(/SIGTERM: stopping[\s\S]*first stopped[\s\S]*exit code 0$/);
  });

  it('after a fatal error during the start ends with exit code 1', async () => {
    const output = await interruptedStart(`
      setTimeout(() => { throw new Error('nobody caught this'); }, 50);
      return new Promise(() => {});`);
    expect(output).toMatch(/nobody caught this[\s\S]*first stopped[\s\S]*exit code 1$/);
  });
});

/** Starts an application with a bean that does this to start, sends SIGTERM once it says `slow begins`, and gives all that was printed. */
async function interruptedStart(start: string): Promise<string> {
  const features = mainWith(`[{ name: 'slow', register(host) {
    host.define('first', { type: 'T', create: () => 1, start() {}, stop() { console.log('first stopped'); } });
    host.define('slow', { type: 'T', create: ({ first }) => first, start: (_, signal) => { ${start} } });
  } }]`);
  const { main, folder, remove } = await makeApplication({ main: features });
  const child = spawn(process.execPath, [main, '--application.stopTimeout=2s'], {
    cwd: folder,
    env: { ...process.env, PORT: '0', JIG_HOME: join(folder, 'home') },
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
    if (output.includes('slow begins') && !child.killed) child.kill('SIGTERM');
  });
  const [code] = await once(child, 'close');
  await remove();
  return `${output}exit code ${code}`;
}

describe('npm start', () => {
  const npmStart = (flags: readonly string[], env: NodeJS.ProcessEnv) =>
    spawn('npm', ['start', '--', ...flags], { cwd: fileURLToPath(new URL('../..', import.meta.url)), env });

  it('stops the service when npm is stopped, and returns its exit code', async () => {
    const folder = await folderWith({});
    const npm = npmStart([], { ...process.env, ...withoutDatabase, PORT: '0', JIG_HOME: join(folder, 'home') });
    let output = '';
    npm.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes('listening on') && !npm.killed) npm.kill('SIGTERM');
    });
    const [code] = await once(npm, 'close');
    expect(code, output).toBe(0);
    expect(output).toContain('"msg":"stopped"');
  });

  it('returns the exit code of a start that fails', async () => {
    const npm = npmStart(['--port=abc'], { ...process.env });
    const [code] = await once(npm, 'close');
    expect(code).toBe(1);
  });
});

describe('starting', () => {
  it('works twice in the same folder, and writes only to the data folder', async () => {
    const workingDirectory = await folderWith({});
    const home = join(workingDirectory, 'data');
    for (const _ of [1, 2]) {
      const service = await startInProcess({ workingDirectory, home, environment: withoutDatabase });
      expect((await fetch(`${service.url}/health`)).status).toBe(200);
      expect(await service.stop()).toBe(true);
      expect(await readdir(workingDirectory)).toEqual(['data']);
    }
  });
});
