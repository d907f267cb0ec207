import { expect, it } from 'vitest';
import { failuresOf, growthOf } from '../soak/judgement.ts';
import { latencyTable, soak } from '../soak/soak.ts';

// Long enough for two kills; only `npm run soak`, which does the same for an hour, can find a slow leak.
it('the service loses no session under mixed traffic while the database is killed twice', {
  timeout: 300_000,
}, async () => {
  const result = await soak({ seconds: 45, kills: 2, users: 12 });
  console.log(`${latencyTable(result.latencies)}\nmemory after warm-up: ${growthOf(result).toFixed(3)} MiB per second`);
  expect(failuresOf(result)).toEqual([]);
  expect(result.kills).toBe(2);
  expect(result.announced).toBeGreaterThan(0);
  expect(result.sessions).toBeGreaterThan(20);
});
