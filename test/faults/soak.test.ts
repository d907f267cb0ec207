import { expect, it } from 'vitest';
import { failuresOf } from '../soak/judgement.ts';
import { latencyTable, soak } from '../soak/soak.ts';

// Only `npm run soak`, which does the same for an hour, can find a slow leak.
it('the service loses no session under mixed traffic while the database is killed twice', async () => {
  const users = 12;
  const result = await soak({ seconds: 8, kills: 2, users, thinkTime: 100 });
  console.log(latencyTable(result.latencies));
  expect(failuresOf(result)).toEqual([]);
  expect(result.kills).toBe(2);
  expect(result.announced).toBeGreaterThan(0);
  expect(result.sessions).toBeGreaterThanOrEqual(users);
}, 300_000);
