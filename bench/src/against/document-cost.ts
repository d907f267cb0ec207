// Prints the CPU time in µs of one document, written by the @jig/inspect of a checkout: <checkout> <number of the bean> <json or xml>.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { secrets, unwrittenBeans } from '../bean-inspection/bench-beans.ts';
import { microseconds } from '../samples.ts';

type Inspect = typeof import('@jig/inspect');

const [, , checkout = '', number = '', format = ''] = process.argv;
const { inspect, Masking }: Inspect = await import(
  pathToFileURL(join(checkout, 'packages/inspect/dist/index.js')).href
);
const masking = new Masking({ secrets });
const bean = unwrittenBeans()[Number(number)]?.bean;
const write = () => inspect(bean, { format: format === 'xml' ? 'xml' : 'json', masking }).toBytes();

/** The documents that are written within a time of CPU, and that time for each. */
function costWithin(microsecondsOfCpu: number): number {
  const start = process.cpuUsage();
  for (let done = 0, batch = 1; ; ) {
    for (let turn = 0; turn < batch; turn++) write();
    done += batch;
    const spent = microseconds(process.cpuUsage(start));
    if (spent >= microsecondsOfCpu) return spent / done;
    if (spent < microsecondsOfCpu / 10) batch *= 2;
  }
}

costWithin(400_000);
console.log(costWithin(400_000));
