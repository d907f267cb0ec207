import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startService } from '../support/start-service.ts';

const built = (example: string) => fileURLToPath(new URL(`../../examples/${example}/dist/main.js`, import.meta.url));

describe('examples/greeting', () => {
  it('greets, because its package.json names the add-on', async () => {
    const service = await startService({ main: built('greeting'), flags: ['--greeting.name=reader'] });
    expect(await (await fetch(`${service.url}/greeting`)).text()).toBe('Hello, reader!\n');
    expect(await service.stop()).toBe(0);
  });
});
