// Ten thousand mixed requests to a cluster of four: `node --import tsx test/instances/load.ts [REQUESTS]`.
import { mixedLoad } from './mixed-load.ts';
import { startApplication } from './start-application.ts';

await using application = await startApplication('cluster', { arguments: ['4'] });
const start = performance.now();
const { requests, wrong } = await mixedLoad(application.url, Number(process.argv[2] ?? 10_000));
console.log(`${requests} requests in ${Math.round((performance.now() - start) / 1000)} s, ${wrong.length} astray`);
for (const each of wrong) console.error(each);
process.exitCode = wrong.length === 0 ? 0 : 1;
