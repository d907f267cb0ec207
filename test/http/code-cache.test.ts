import { describe, expect, it } from 'vitest';
import { startService } from '../support/start-service.ts';

/** Told of each bundle that runs, it prints whether V8 took its code from the cache. */
const watching = `globalThis[Symbol.for('jig.bundles')] = {
  push: ({ script }) => console.log('code cache taken: ' + (script.cachedDataRejected === false)),
};`;

async function outputWith(...nodeFlags: string[]): Promise<string> {
  const watcher = `data:text/javascript,${encodeURIComponent(watching)}`;
  const service = await startService({
    nodeFlags: [...nodeFlags, '--import', watcher],
    environment: { JIG_ADD_ONS_EXCLUDE: '@jig/embedded-database,@jig/redis-sessions' },
  });
  expect((await fetch(`${service.url}/health`)).status).toBe(200);
  expect(await service.stop()).toBe(0);
  return service.output();
}

describe('the built host', () => {
  it('starts from the code cache that the build has made', async () => {
    expect(await outputWith()).toContain('code cache taken: true');
  });

  it('starts all the same when V8 cannot use the cache, as with another version or other flags', async () => {
    expect(await outputWith('--no-opt')).toContain('code cache taken: false');
  });
});
