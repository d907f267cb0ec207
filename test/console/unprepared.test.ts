import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Announcement } from '@jig/bean-inspection/internal';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Programs, type StartedProgram } from './console-on-this-machine.ts';

interface ListedBean {
  readonly name: string;
  readonly type: string;
  readonly owner: string;
  readonly found: string;
  readonly isMinor?: true;
}

const preload = new URL('../../packages/console/dist/run/run.js', import.meta.url).href;
const withRun = { env: { NODE_OPTIONS: `--import ${preload}` } };

let programs: Programs;
beforeAll(async () => {
  programs = await Programs.create();
});
afterAll(() => programs[Symbol.asyncDispose]());

/** What a process, and those that it has started, announce. */
async function instancesOf({ pid }: StartedProgram, count = 1): Promise<readonly Announcement[]> {
  const folder = join(programs.folder, 'jig');
  const read = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Announcement)
      .filter((each) => each.pid === pid || each.parentPid === pid);
  return vi.waitFor(() => {
    const found = existsSync(folder) ? read() : [];
    expect(found.map(({ id, mount }) => [id, mount])).toHaveLength(count);
    return found;
  }, 30_000);
}

function ask({ socket }: Announcement, path: string, headers = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ socketPath: socket, path, agent: false, headers }, (response) => resolve(text(response))).on('error', reject);
  });
}

const pageOf = (instance: Announcement) => ask(instance, '/jig/bean', { accept: 'text/html' });

async function beansOf(instance: Announcement): Promise<readonly ListedBean[]> {
  return (JSON.parse(await ask(instance, '/jig/bean.json')) as { beans: readonly ListedBean[] }).beans;
}

const fetchFrom = async ({ line }: StartedProgram, path = '/') =>
  (await fetch(`http://127.0.0.1:${line}${path}`)).text();

describe('an application that was not prepared, run by jig', () => {
  let shop: StartedProgram;
  let instance: Announcement;
  beforeAll(async () => {
    shop = await programs.start('unprepared/shop.cjs', withRun);
    [instance] = (await instancesOf(shop)) as [Announcement];
    expect(instance).toMatchObject({ pid: shop.pid, attached: true, prefix: '/jig' });
  });

  it('lists servers, frameworks and their parts first, then state, then the rest as minor', async () => {
    const beans = await beansOf(instance);
    const names = beans.filter(({ isMinor }) => isMinor !== true).map(({ name }) => name);
    const main = ['express', 'express.rates', `server:${shop.line}`];
    expect(names.slice(0, main.length).sort()).toEqual(main);
    expect(names.slice(main.length).sort()).toEqual([
      'orders.index',
      'orders.makeRepository.cache',
      'process',
      'shop.orders',
    ]);
    expect(
      beans
        .filter(({ isMinor }) => isMinor)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([
      'Layer',
      'OrderService.orders',
      'Route',
      'express.Router',
      'module:orders',
      'module:shop',
      'orders.repository',
      'shop.neverUsed',
      'shop.settings',
    ]);
  });

  it('shows of each bean its file and how it was found', async () => {
    const beans = await beansOf(instance);
    expect(beans.find(({ name }) => name === 'orders.makeRepository.cache')).toMatchObject({
      type: 'Map',
      owner: 'unprepared/lib/orders.cjs',
      found: 'variable of makeRepository()',
    });
  });

  it('shows private fields and masks them by their names', async () => {
    await fetchFrom(shop);
    const { total, ...others } = JSON.parse(await ask(instance, '/jig/bean/shop.orders.json'));
    // Other tests may have ordered before.
    const orders = Array.from({ length: total }, (_, index) => ({ id: index + 1, currency: 'EUR', known: null }));
    expect(others).toEqual({ '#orders': orders, '#token': '******' });
    expect(total).toBeGreaterThan(0);
  });

  it('shows the current numbers of a module', async () => {
    const hits = async () => JSON.parse(await ask(instance, '/jig/bean/module:shop.json')).hits as number;
    const before = await hits();
    await fetchFrom(shop);
    expect(await hits()).toBe(before + 1);
  });

  it('does not load fetch of Node, which takes long, to show beans', async () => {
    const basket = await programs.start('unprepared/basket.cjs', withRun);
    const [looked] = (await instancesOf(basket)) as [Announcement];
    for (const { name } of await beansOf(looked)) await ask(looked, `/jig/bean/${encodeURIComponent(name)}.json`);
    await pageOf(looked);
    expect(await (await fetch(`${basket.line}/state`)).json()).toMatchObject({ hasFetch: false });
  });
});

describe('ES modules run by jig', () => {
  it('show their variables, decorators of Fastify and sets of plugins', async () => {
    const [instance] = (await instancesOf(await programs.start('unprepared/prices.mjs', withRun))) as [Announcement];
    const names = (await beansOf(instance)).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['fastify', 'fastify.prices', 'fastify.tickets', 'prices.sessions', 'prices.neverUsed']),
    );
    expect(JSON.parse(await ask(instance, '/jig/bean/fastify.prices.json'))).toEqual({ '#prices': { apple: 3 } });
  });
});

describe('containers and frameworks of what jig runs', () => {
  const namesIn = async (fixture: string) => {
    const started = await programs.start(`unprepared/${fixture}`, withRun);
    const [instance] = (await instancesOf(started)) as [Announcement];
    return { instance, beans: await beansOf(instance) };
  };

  it('are found, with the names of beans of Awilix, Inversify and tsyringe', async () => {
    const { instance, beans } = await namesIn('../../../all/containers/containers.mjs');
    const found = (kind: string) =>
      beans.filter((each) => each.found?.startsWith(`in a container of ${kind}`)).map(({ name }) => name);
    expect(['awilix', 'inversify', 'tsyringe'].map(found)).toEqual([['carts'], ['clock'], ['prices']]);
    expect(JSON.parse(await ask(instance, '/jig/bean/prices.json'))).toEqual({ kettle: 30 });
  });

  it('are found for Hono and Koa, with the context of Koa', async () => {
    const { beans } = await namesIn('frameworks.mjs');
    expect(beans.map(({ name }) => name)).toEqual(expect.arrayContaining(['hono', 'koa', 'koa.rates']));
  });

  it('are found for Nest', async () => {
    const names = ['express', 'CatsController', 'CatsService', 'CatsService.cats'];
    const { beans } = await namesIn('cats.mjs');
    expect(beans.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    expect(beans.find(({ name }) => name === 'CatsService')?.found).toMatch(/^in a container of nest, /);
  });
});

describe('a program in node_modules', () => {
  it('shows exports of its modules, instances of exported classes, and their fields', async () => {
    const modules = join(programs.folder, 'node_modules');
    const files = {
      'shop/main.js': `const bus = require('./bus.js'); const stock = require('stock'); class Shop { depot = new stock.constructor(); } const shop = new Shop(); console.log('ready'); setInterval(() => [bus, stock, shop], 1e6);`,
      'shop/bus.js': `module.exports = new (require('node:events'))();`,
      'stock/index.js': `class Shelf {} class Stock { shelf = new Shelf(); _inner = new Shelf(); } module.exports = new Stock();`,
    };
    for (const [path, source] of Object.entries(files)) {
      mkdirSync(dirname(join(modules, path)), { recursive: true });
      writeFileSync(join(modules, path), source);
    }
    const started = await programs.startProgram(join(modules, 'shop/main.js'), withRun);
    const [instance] = (await instancesOf(started)) as [Announcement];
    const names = (await beansOf(instance)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['bus', 'main.stock', 'Stock.shelf', 'Shop.depot', 'Shelf']));
    expect(names).not.toContain('Stock._inner');
  });
});

describe('what only this of an arrow function leads to', () => {
  const lookWith = async (...args: readonly string[]) => {
    const started = await programs.start('unprepared/hidden.mjs', { ...withRun, args });
    const [instance] = (await instancesOf(started)) as [Announcement];
    const names = (await beansOf(instance)).map(({ name }) => name);
    return { names, page: await pageOf(instance) };
  };
  const sentence = 'Objects that only this of an arrow function refers to are missing';

  it('is found on a small heap; for a large one, the page says so', async () => {
    const small = await lookWith();
    expect(small.names).toEqual(expect.arrayContaining(['Shop', 'Shop.items']));
    expect(small.page).not.toContain(sentence);
    const large = await lookWith('60');
    expect(large.names).not.toContain('Shop');
    expect(large.page).toContain(sentence);
  });
});

describe('worker threads and child processes of what jig runs', () => {
  it('are announced with their own variables', async () => {
    const instances = await instancesOf(await programs.start('unprepared/threads.mjs', withRun), 3);
    const names = await Promise.all(
      instances.map(async (each) => (await beansOf(each)).map(({ name }) => name).join(' ')),
    );
    expect(names.filter((each) => each.includes('threads.threadJobs'))).toHaveLength(1);
    expect(names.filter((each) => each.includes('threads.childJobs'))).toHaveLength(1);
    expect(names.filter((each) => each.includes('threads.started'))).toHaveLength(1);
  });
});

const waysOfTypes: Record<string, readonly string[]> = { tsx: ['--import', import.meta.resolve('tsx')] };
// Node 20 knows no types.
const { typescript = false } = process.features as { readonly typescript?: unknown };
if (typescript !== false) waysOfTypes.Node = [];

describe.each(Object.entries(waysOfTypes))('TypeScript run by %s', (_name, nodeFlags) => {
  it('shows its variables, and stacks with the lines of its source', async () => {
    const started = await programs.start('unprepared/typed.ts', { ...withRun, nodeFlags });
    expect(await fetchFrom(started)).toMatch(/typed\.ts:11:\d+/);
    const [instance] = (await instancesOf(started)) as [Announcement];
    expect((await beansOf(instance)).map(({ name }) => name)).toContain('typed.visits');
    expect(JSON.parse(await ask(instance, '/jig/bean/typed.visits.json'))).toEqual({ 0: { url: '/' } });
    // The thread of esbuild, by which tsx compiles, is none of the application.
    expect(await instancesOf(started)).toEqual([instance]);
  });
});

describe('the list of what was found', () => {
  const lookAt = async (name: string, source: string) => {
    const file = join(programs.folder, name);
    writeFileSync(file, `${source} console.log('ready'); setInterval(() => {}, 1e6);`);
    const [instance] = (await instancesOf(await programs.startProgram(file, withRun))) as [Announcement];
    return instance;
  };

  it('starts with servers and names of components, and folds constants and helpers', async () => {
    const instance = await lookAt(
      'ranks.mjs',
      `const RESERVED = new Set(['if']), letters = new Uint8Array(9), encoder = new TextEncoder();
const ${Array.from({ length: 11 }, (_, index) => `schema${index} = new (await import('node:events')).EventEmitter()`).join()};
const names = new Map([['a', { b: 1 }]]);
const seen = new Map([['x', 1]]);
const waiting = [];
class Price {}
const price = new Price();
const mainCache = new Map([['y', price]]);
const server = (await import('node:http')).createServer().listen(0, '127.0.0.1');
setInterval(() => seen.set('z', 2), 1e6);`,
    );
    const beans = await beansOf(instance);
    const main = beans.filter(({ isMinor }) => isMinor !== true).map(({ name }) => name);
    expect(main.map((name) => name.replace(/:\d+/, '')).filter((name) => name !== 'process')).toEqual([
      'server',
      'ranks.mainCache',
      'ranks.price',
      'ranks.seen',
      'ranks.waiting',
    ]);
    expect(await pageOf(instance)).toContain('>Constants and helpers (16)</a>');
  });

  it('shows what answers a server and objects of classes beside an enum, and folds enums and compiled imports', async () => {
    const instance = await lookAt(
      'compiled.cjs',
      `const path_1 = { default: require('node:path') };
var SymbolKind; (function (SymbolKind) { SymbolKind['File'] = 1; })(SymbolKind || (SymbolKind = {}));
const exported = {}; exported.join = () => '';
class Languages { names = new Map(); }
const application = Object.assign((_request, response) => response.end(path_1.default.sep), { stack: [] });
require('node:http').createServer(application).listen(0, '127.0.0.1');
setInterval(Languages.prototype.toString.bind(new Languages()), 1e6);`,
    );
    const beans = (await beansOf(instance)).map(({ name, isMinor = false }) => [name.replace(/:\d+/, ''), isMinor]);
    const names = [
      'server',
      'server.request',
      'Languages',
      'Languages.names',
      'compiled.SymbolKind',
      'compiled.exported',
    ];
    expect(Object.fromEntries(beans)).toMatchObject(
      Object.fromEntries(names.map((name, index) => [name, index >= names.indexOf('Languages.names')])),
    );
    expect(beans.map(([name]) => name)).not.toContain('compiled.path_1');
  });

  it('reports how much an interrupted search has missed, and continues when opened again', async () => {
    const instance = await lookAt(
      'many.mjs',
      `import { createServer } from 'node:http';
export const many = Array.from({ length: 290 }, () => Array.from({ length: 290 }, () => ({})));
createServer().listen(0, '127.0.0.1');`,
    );
    const sentence = /The search reached its limits\. [\d,]+ objects, and what only they lead to, are missing\./;
    const first = await pageOf(instance);
    expect(first).toMatch(sentence);
    expect(first).toContain('server:');
    await expect.poll(() => pageOf(instance), { timeout: 60_000, interval: 1000 }).not.toMatch(sentence);
  });
});

describe('looking at an application', () => {
  it('runs no getter, no trap and no method of it', async () => {
    const started = await programs.start('unprepared/traps.mjs', withRun);
    const [instance] = (await instancesOf(started)) as [Announcement];
    const names = (await beansOf(instance)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['traps.holder', 'traps.traps', 'traps.numbers', 'module:traps']));
    expect(await fetchFrom(started)).toBe('[[]]');
  });

  it('does not end an application that has run out of file descriptors', async () => {
    const started = await programs.start('unprepared/no-files.mjs', withRun);
    const [instance] = (await instancesOf(started)) as [Announcement];
    await fetchFrom(started, '/full');
    expect(await ask(instance, '/jig/bean.json')).toBe(
      'The application cannot be inspected: Error: EMFILE: too many open files\n',
    );
    await fetchFrom(started);
    expect((await beansOf(instance)).map(({ name }) => name)).toContain(`server:${started.line}`);
  });

  it('retains nothing that the application drops', async () => {
    const started = await programs.start('unprepared/dropping.mjs', { ...withRun, nodeFlags: ['--expose-gc'] });
    const [instance] = (await instancesOf(started)) as [Announcement];
    const names = async () => (await beansOf(instance)).map(({ name }) => name);
    expect(await names()).toContain('dropping.cache');
    await fetchFrom(started, '/drop');
    await expect
      .poll(async () => {
        await fetchFrom(started);
        return names();
      })
      .not.toContain('dropping.cache');
  });
});

describe('jig run', () => {
  it('passes on arguments, output and exit codes', async () => {
    const { code, stdout } = await programs.run('run', 'unprepared/exits.cjs', 'a', '--help');
    expect([code, stdout]).toEqual([7, 'a,--help']);
  });

  it('prints a NODE_OPTIONS that works in every folder, and nothing without a terminal', async () => {
    const { code, stdout } = await programs.run('run');
    const [, printed = ''] = /^NODE_OPTIONS="(.*)"\n$/.exec(stdout) ?? [];
    expect([code, printed]).toEqual([0, `--import ${preload}`]);
    const file = join(programs.folder, 'elsewhere.cjs');
    writeFileSync(file, 'console.log("ready"); setInterval(() => {}, 1e6)');
    const started = await programs.startProgram(file, { cwd: programs.folder, env: { NODE_OPTIONS: printed } });
    expect(await instancesOf(started)).toHaveLength(1);
    const quiet = await programs.run('run', '--quiet', 'unprepared/exits.cjs', 'a');
    expect(quiet).toEqual({ code: 7, stdout: 'a', stderr: '' });
  });

  it.each([
    ['cjs', 'var eval = new Map([["mine", 1]]), Object = null, Symbol = null, Function = null, globalThis = null;'],
    ['mjs', 'const Symbol = {}, globalThis = null, Function = null, mine = new Map();'],
  ])('uses no name of a module that is %s', async (extension, source) => {
    const file = join(programs.folder, `names.${extension}`);
    writeFileSync(file, `${source} console.log("ready"); setInterval(() => {}, 1e6)`);
    const [instance] = (await instancesOf(await programs.startProgram(file, withRun))) as [Announcement];
    const names = (await beansOf(instance)).map(({ name }) => name);
    expect(names).toContain(extension === 'cjs' ? 'names.eval' : 'names.mine');
  });

  it.each(['const a =', 'class A {', 'class A { b() {', 'f(', '`text', 'const a = "text'])(
    'shows no code of Jig in the syntax error of %j',
    async (source) => {
      for (const extension of ['cjs', 'mjs']) {
        const file = join(programs.folder, `broken.${extension}`);
        writeFileSync(file, `${source}\n`);
        const { code, stderr } = await programs.run('run', file);
        expect(code).toBe(1);
        expect(stderr).toContain('SyntaxError');
        expect(stderr).not.toContain('jig.capture');
      }
    },
  );

  it('does not change how modules see their loading', async () => {
    const env = { NODE_NO_WARNINGS: '1' };
    const args = ['a', 'b'];
    const plain = await programs.start('unprepared/same/main.mjs', { args, env });
    const run = await programs.start('unprepared/same/main.mjs', { args, env: { ...env, ...withRun.env } });
    expect(JSON.parse(run.line)).toEqual(JSON.parse(plain.line));
  });

  it('ends with jig detach, whether somebody has opened it or not', async () => {
    for (const looks of [true, false]) {
      const shop = await programs.start('unprepared/shop.cjs', withRun);
      const [instance] = (await instancesOf(shop)) as [Announcement];
      if (looks) await beansOf(instance);
      expect((await programs.run('detach', String(shop.pid))).stdout).toBe(`Detached from process ${shop.pid}.\n`);
      await instancesOf(shop, 0);
      await expect(beansOf(instance)).rejects.toThrow('ENOENT');
      expect(JSON.parse(await fetchFrom(shop))).toEqual({ hits: 1 });
    }
  });
});
