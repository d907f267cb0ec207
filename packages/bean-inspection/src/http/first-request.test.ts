import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addressLine, agentLine, hasConsole } from './first-request.ts';

describe('the lines at the first request', () => {
  const socket = { localAddress: '127.0.0.1', localPort: 3000 };
  const url = 'http://localhost:3000/jig/mcp';

  it('name npx jig when the console is installed', () => {
    expect(addressLine(socket, '/jig', true)).toBe(
      'bean inspection: the beans are at http://localhost:3000/jig/bean; npx jig shows all applications',
    );
    expect(agentLine(url, { hasToken: true, isInConsole: true })).toBe(
      'bean inspection for coding agents, as .mcp.json: {"mcpServers":{"jig":{"command":"npx","args":["jig","mcp"]}}}',
    );
  });

  it('name the address of the application otherwise', () => {
    expect(addressLine(socket, '/jig', false)).toBe('bean inspection: the beans are at http://localhost:3000/jig/bean');
    expect(agentLine(url, { hasToken: false, isInConsole: false })).toBe(
      `bean inspection for coding agents, as .mcp.json: {"mcpServers":{"jig":{"type":"http","url":"${url}"}}}`,
    );
  });

  it('treat the console as installed where npx would find it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jig-lines-'));
    try {
      expect(hasConsole(folder)).toBe(false);
      const place = join(folder, 'node_modules/@jig/console');
      await mkdir(place, { recursive: true });
      await writeFile(join(place, 'package.json'), '{}');
      expect(hasConsole(folder)).toBe(true);
      expect(hasConsole(join(folder, 'packages/app'))).toBe(true);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
