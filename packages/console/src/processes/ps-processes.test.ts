import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { parseLsof, parsePs, psProcesses } from './ps-processes.ts';

describe('processes by ps', () => {
  it('has a process of this user with its parent, start, memory and CPU time', async () => {
    const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1e6)', 'an argument']);
    await once(child.stdout, 'data');
    const found = (await psProcesses(process.getuid?.())).find(({ pid }) => pid === child.pid);
    child.kill('SIGKILL');
    expect(found).toMatchObject({ parentPid: process.pid, uid: process.getuid?.(), environment: {} });
    expect(Math.abs(Date.now() - (found?.startedAt ?? 0))).toBeLessThan(60_000);
    expect(found?.memory).toBeGreaterThan(1e7);
    expect(found?.cpuSeconds).toBeLessThan(60);
    expect(found?.args.slice(-2)).toEqual(['an', 'argument']);
  });

  it('is read as macOS prints it', () => {
    const rows =
      '  501   1   501  45120   1:02.50 Tue Nov  3 09:08:07 2026     /Users/ada/My Apps/node\n 77 501 501 100 1-02:03:04 Tue Nov 17 09:08:07 2026 /bin/zsh\n';
    const commands = '  501 /Users/ada/My Apps/node --import tsx src/main.ts\n   77 -zsh\n';
    expect(parsePs(rows, commands)).toMatchObject([
      {
        pid: 501,
        parentPid: 1,
        uid: 501,
        program: '/Users/ada/My Apps/node',
        args: ['/Users/ada/My Apps/node', '--import', 'tsx', 'src/main.ts'],
        startedAt: new Date(2026, 10, 3, 9, 8, 7).getTime(),
        memory: 45_120 * 1024,
        cpuSeconds: 62.5,
      },
      { pid: 77, args: ['/bin/zsh'], cpuSeconds: 93_784 },
    ]);
  });

  it('has addresses and folders by lsof', () => {
    const printed = 'p501\nf20\nn127.0.0.1:3000\nf21\nn*:4000\np77\nfcwd\nn/Users/ada\n';
    expect([...parseLsof(printed)]).toEqual([
      [501, ['127.0.0.1:3000', '*:4000']],
      [77, ['/Users/ada']],
    ]);
  });
});
