import { beanInspectionSuite } from './bean-inspection/bean-inspection-suite.ts';
import { clockSuite } from './clock/clock-suite.ts';
import { databaseSuite } from './database/database-suite.ts';
import { beanSizeGrowthSuite } from './growth/bean-size-growth-suite.ts';
import { beansGrowthSuite } from './growth/beans-growth-suite.ts';
import { sessionsGrowthSuite } from './growth/sessions-growth-suite.ts';
import { peersSuite } from './peers/peers-suite.ts';
import { profileSuite } from './profile/profile-suite.ts';
import { sessionsSuite } from './sessions/sessions-suite.ts';
import { sessionsStoresSuite } from './sessions-stores/sessions-stores-suite.ts';
import { startSuite } from './start/start-suite.ts';
import type { Suite } from './suite.ts';

/** Every suite, in the order of the page. */
export const suites: readonly Suite[] = [
  startSuite,
  clockSuite,
  beanInspectionSuite,
  peersSuite,
  sessionsSuite,
  sessionsStoresSuite,
  databaseSuite,
  sessionsGrowthSuite,
  beansGrowthSuite,
  beanSizeGrowthSuite,
  profileSuite,
];
