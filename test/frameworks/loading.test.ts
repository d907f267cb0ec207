import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const dist = new URL('../../packages/bean-inspection/dist/', import.meta.url);

/** The built files that hold anything of a source. */
function filesOf(part: string): readonly string[] {
  return readdirSync(dist).filter((file) => {
    if (!file.endsWith('.js.map')) return false;
    const { sources } = JSON.parse(readFileSync(new URL(file, dist), 'utf8')) as { sources: string[] };
    return sources.some((source) => source.includes(part));
  });
}

/** Serves a bean, asks for documents of it, a page and a tool, and says which files were loaded before and after. */
const program = `
import { register } from 'node:module';
const { port1, port2 } = new MessageChannel();
const loaded = [];
port1.on('message', (url) => loaded.push(url));
port1.unref();
const hooks = 'data:text/javascript,' + encodeURIComponent(\`
  let port;
  export const initialize = (given) => { port = given.port; };
  export async function load(url, context, next) { port.postMessage(url); return next(url, context); }
\`);
register(hooks, { parentURL: import.meta.url, data: { port: port2 }, transferList: [port2] });
const { createServer } = await import('node:http');
const { beanInspection } = await import(process.argv[1]);
const beans = beanInspection({ small: { word: 'small' } }, { onReady() {} });
const server = createServer((request, response) => void beans(request, response)).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const url = 'http://127.0.0.1:' + server.address().port + '/jig';
// Messages come in order: with that of this module, those of all before it are there.
async function told(last) {
  const url = 'data:text/javascript,//' + last;
  await import(url);
  while (!loaded.includes(url)) await new Promise(setImmediate);
}
await told('started');
const started = [...loaded];
// All at once, before what answers them is there.
const first = await Promise.all(['/bean', '/bean/small.json', '/bean/small.xml', '/mcp'].map((path) => fetch(url + path)));
const page = await fetch(url + '/graph');
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const answer = await fetch(url + '/mcp', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
await told('after');
const statuses = [...first, page, answer].map(({ status }) => status);
console.log(JSON.stringify({ started, after: loaded, statuses }));
server.closeAllConnections();
server.close();
`;

it('the code that answers is loaded at the first request, not before', async () => {
  const sources = ['src/mcp/', 'src/graph/layout.ts', 'src/browser/list-page.ts', 'src/compare/compare-page.ts'];
  const files = [...new Set(sources.flatMap(filesOf))].map((file) => new URL(file.replace(/\.map$/, ''), dist).href);
  const controllers = filesOf('src/mount.ts');
  for (const source of sources) expect(filesOf(source)).not.toEqual([]);
  const main = fileURLToPath(new URL('index.js', dist));
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program, main]);
  const { started, after, statuses } = JSON.parse(stdout);
  expect(statuses).toEqual([200, 200, 200, 405, 200, 200]);
  expect(started).toContain(new URL('index.js', dist).href);
  const isAnswering = (url: string) =>
    url.includes('/inspect/dist/') ||
    controllers.some((file) => url === new URL(file.replace(/\.map$/, ''), dist).href);
  expect(started.filter(isAnswering)).toEqual([]);
  expect(files.filter((file) => started.includes(file))).toEqual([]);
  expect(files.filter((file) => after.includes(file))).toEqual(files);
});

/** Serves a bean, and tells the answers for its document, the list as a page, and the style sheet of that. */
const bundled = `
import { createServer } from 'node:http';
import { beanInspection } from '@jig/bean-inspection';
const beans = beanInspection({ prices: { apple: 3 } }, { onReady() {}, onError() {} });
const server = createServer((request, response) => void beans(request, response)).listen(0, '127.0.0.1', async () => {
  const url = 'http://127.0.0.1:' + server.address().port + '/jig/bean';
  const page = await fetch(url, { headers: { accept: 'text/html' } });
  const [style] = (await page.text()).match(/\\/jig\\/browser\\/style-\\w+\\.css/);
  const sheet = await fetch(new URL(style, url));
  console.log(await (await fetch(url + '/prices.json')).text(), page.status, sheet.status, (await sheet.text()).length);
  process.exit();
});
`;

it.each([
  ['esm', 'mjs'],
  ['cjs', 'cjs'],
] as const)('an application bundled as %s shows documents and pages', async (format, extension) => {
  const folder = mkdtempSync(join(tmpdir(), 'jig-bundled-'));
  try {
    const outfile = join(folder, `app.${extension}`);
    const stdin = { contents: bundled, resolveDir: fileURLToPath(dist) };
    await build({ stdin, outfile, format, bundle: true, platform: 'node', logLevel: 'silent' });
    const { stdout } = await run(process.execPath, [outfile]);
    expect(stdout).toMatch(/^\{"apple":3\} 200 200 \d{5}$/m);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
