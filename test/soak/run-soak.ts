// npm run soak: an hour of mixed traffic; `npm run soak -- 600` takes ten minutes instead.
import { failuresOf, growthOf, isMemoryJudged } from './judgement.ts';
import { latencyTable, soak } from './soak.ts';

const seconds = Number(process.argv[2] ?? 3600);
if (!(seconds >= 20)) {
  console.error('A soak takes a number of seconds, 20 at least.');
  process.exit(1);
}
const kills = Math.max(1, Math.round(seconds / 120));
const result = await soak({ seconds, kills, users: 24, report: console.log });
const failures = failuresOf(result);
console.log(latencyTable(result.latencies));
console.log(
  `${result.sessions} sessions, ${result.wrongSessions.length} wrong; ${result.kills} kills, ${result.announced} announced 503`,
);
console.log(`memory after warm-up: ${growthOf(result).toFixed(4)} MiB per second`);
if (!isMemoryJudged(result)) console.log('memory was not judged: that takes a soak of 600 seconds');
console.log(failures.length === 0 ? 'passed' : `failed:\n${failures.join('\n')}`);
process.exit(failures.length === 0 ? 0 : 1);
