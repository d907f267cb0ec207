import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { identify } from './process-identity.ts';

const fixture = fileURLToPath(new URL('../../test-fixtures/start-and-wait.ts', import.meta.url));

describe.each(['kernel', 'watchdog'])('the parent death signal, by the %s', (means) => {
  it('ends the server when the application is killed', async () => {
    const application = spawn(process.execPath, ['--import', 'tsx', fixture, means], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = (await once(application.stdout, 'data')) as [Buffer];
    const server = Number(output.toString());
    expect(await identify(server)).toBeDefined();
    application.kill('SIGKILL');
    await expect.poll(() => identify(server), { timeout: 5000 }).toBeUndefined();
  }, 20_000);
});
