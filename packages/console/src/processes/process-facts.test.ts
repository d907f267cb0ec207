import { describe, expect, it } from 'vitest';
import { toAddress } from './linux-processes.ts';
import { nodeOptions, scriptOf } from './process-facts.ts';
import { isTool } from './tools.ts';

describe('a command line of Node', () => {
  it.each([
    ['node app.js --port 1', 'app.js', []],
    ['node --import tsx -r ./x.js src/main.ts', 'src/main.ts', ['--import=tsx', '-r=./x.js']],
    [
      'node --inspect_port 0.0.0.0:1 --max-http-header-size 80000 a.js',
      'a.js',
      ['--inspect-port=0.0.0.0:1', '--max-http-header-size=80000'],
    ],
    ['node --import=tsx main.ts', 'main.ts', ['--import=tsx']],
    [
      'node --tls-min-v1.2 --test-only --network-family-autoselection --use-largepages off a.js',
      'a.js',
      ['--tls-min-v1.2', '--test-only', '--network-family-autoselection', '--use-largepages=off'],
    ],
    ['node --trace-warnings -e setInterval() a', undefined, ['--trace-warnings']],
    ['node', undefined, []],
  ])('%s runs %s', (line, script, options) => {
    const args = line.split(' ');
    expect(scriptOf({ args })).toBe(script);
    expect(nodeOptions({ args, environment: {} })).toEqual(options);
  });

  it('follows NODE_OPTIONS, which may contain quotes', () => {
    const NODE_OPTIONS = String.raw`--require "./a \"b\" c.js"  --inspect-"port" 9300`;
    expect(nodeOptions({ args: ['node', '--watch', 'a.js'], environment: { NODE_OPTIONS } })).toEqual([
      '--require=./a "b" c.js',
      '--inspect-port=9300',
      '--watch',
    ]);
  });

  const facts = {
    pid: 1,
    parentPid: 0,
    uid: 0,
    program: '/usr/bin/node',
    startedAt: 0,
    memory: 0,
    addresses: [],
    environment: {},
  };

  it.each([
    ['node /usr/lib/node_modules/npm/bin/npm-cli.js run dev', true],
    ['node /home/ada/app/node_modules/.bin/nodemon app.js', true],
    ['node /home/ada/app/node_modules/typescript/lib/tsserver.js --useNodeIpc', true],
    ['node /home/ada/.vscode-server/bin/1/out/server-main.js', true],
    ['node /home/ada/app/node_modules/tsx/dist/cli.mjs main.ts', true],
    ['node --watch app.js', true],
    ['node /home/ada/app/node_modules/@jig/console/bin/jig.js mcp', true],
    ['node /home/ada/jig/server.js', false],
    ['node /home/ada/npm/server.js', false],
    ['node app.js npm', false],
  ])('%s is a tool: %s', (line, expected) => expect(isTool({ ...facts, args: line.split(' ') })).toBe(expected));

  it.each([
    ['npm run dev', true],
    ['PM2 v6.0.8: God Daemon (/root/.pm2)', true],
    ['claude', true],
    ['my application', false],
  ])('%s as a title is a tool: %s', (title, expected) => expect(isTool({ ...facts, args: [title] })).toBe(expected));
});

describe('an address in /proc/net', () => {
  it.each([
    ['0100007F:0BB8', '127.0.0.1:3000'],
    ['00000000:1F90', '0.0.0.0:8080'],
    ['00000000000000000000000000000000:0FA0', '[::]:4000'],
    ['00000000000000000000000001000000:0050', '[::1]:80'],
    ['B80D0120000000000000000001000000:0050', '[2001:db8::1]:80'],
    ['0000000000000000FFFF00000100007F:0050', '[::ffff:7f00:1]:80'],
  ])('%s is %s', (hex, expected) => expect(toAddress(hex)).toBe(expected));
});
