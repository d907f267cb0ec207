// npm run soak: an hour of mixed traffic; `npm run soak -- 600` takes ten minutes instead.
import { soak } from './soak.ts';

const seconds = Number(process.argv[2] ?? 3600);
if (!(seconds >= 600)) {
  console.error('A soak takes a number of seconds, 600 at least: the heap needs minutes to settle.');
  process.exit(1);
}
const result = await soak({ seconds, kills: Math.round(seconds / 120), users: 24 });
console.log(result);
const { surprises, lost, growth } = result;
const isPassed = surprises.length === 0 && lost.length === 0 && growth.mebibytes < 60 && growth.descriptors < 100;
console.log(isPassed ? 'passed' : 'failed');
process.exit(isPassed ? 0 : 1);
