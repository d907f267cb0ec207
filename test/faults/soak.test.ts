import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { soak } from '../soak/soak.ts';
import { copyInitialisedHome } from '../support/initialised-home.ts';

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'jig-soak-'));
  await chmod(home, 0o755);
  await copyInitialisedHome(home);
});

afterAll(() => rm(home, { recursive: true, force: true }));

// Only `npm run soak`, which does the same for an hour, can find a slow leak. /proc tells of memory and descriptors.
it.runIf(process.platform === 'linux')(
  'the service loses no session under mixed traffic while the database is killed twice',
  async () => {
    const users = 12;
    const result = await soak({ seconds: 8, kills: 2, users, thinkTime: 700, home });
    expect(result).toMatchObject({ surprises: [], lost: [] });
    expect(result.growth.descriptors).toBeLessThan(100);
    expect(result.announced).toBeGreaterThan(0);
    expect(result.sessions).toBeGreaterThanOrEqual(users);
  },
  300_000,
);
