import { stringifyChunked } from '@discoveryjs/json-ext';
import { inspect, Masking } from '@jig/bean-inspection';
import { XMLBuilder } from 'fast-xml-parser';
import { configure } from 'safe-stable-stringify';
import { create } from 'xmlbuilder2';
import { cpuTime } from '../cpu-time.ts';
import type { BenchContext, Case, Contender, Suite } from '../suite.ts';
import { type BenchBean, benchBeans } from './beans.ts';
import { bigBeans, longestTurn, memoryAbove } from './big-bean.ts';

/** Masking as the service has it: by keys, in URLs, and by the values of a few secrets. */
const masking = new Masking({
  secrets: ['0123456789abcdef0123456789abcdef', 'a-database-password', 'a-token-of-some-length'],
});

const stableStringify = configure({ deterministic: false });
const xmlBuilder = new XMLBuilder({});

/** Other builders have no name of their own for the items of a list. */
const rooted = (plain: unknown) => ({ root: Array.isArray(plain) ? { item: plain as unknown[] } : plain });

export const beanInspectionSuite: Suite = {
  name: 'bean-inspection',
  about:
    'A live bean as bytes, masking and all rules on, against `Buffer.from(JSON.stringify(equivalent plain data))`; and what a bean of 2,000,000 entries does to the event loop and to memory.',
  open(context) {
    const beans = benchBeans().flatMap((bean) => [jsonCase(bean, context), xmlCase(bean, context)]);
    const big = Object.entries(bigBeans).flatMap(([name, bean]) => [
      bigCase(`${name} of 2,000,000: longest turn`, 'ms CPU', 20, longestTurn(bean)),
      bigCase(`${name} of 2,000,000: memory`, 'MiB', 64, memoryAbove(bean)),
    ]);
    return { cases: [...beans, ...big] };
  },
};

function jsonCase({ name, bean, plain, json: [speed, aim] }: BenchBean, context: BenchContext): Case {
  return {
    name: `${name}, JSON`,
    unit: 'µs CPU',
    target: { speed, aim },
    ours: cpuTime(() => inspect(bean, { masking }).toBytes(), context),
    reference: reference(plain, context),
    peers: {
      'safe-stable-stringify': cpuTime(() => Buffer.from(stableStringify(plain) ?? ''), context),
      'json-ext': cpuTime(() => [...stringifyChunked(plain)].map((chunk) => Buffer.from(chunk)), context),
    },
  };
}

function xmlCase({ name, bean, plain, xml: [speed, aim] }: BenchBean, context: BenchContext): Case {
  return {
    name: `${name}, XML`,
    unit: 'µs CPU',
    target: { speed, aim },
    ours: cpuTime(() => inspect(bean, { format: 'xml', masking }).toBytes(), context),
    reference: reference(plain, context),
    peers: {
      'fast-xml-parser': cpuTime(() => Buffer.from(xmlBuilder.build(rooted(plain))), context),
      ...(name.startsWith('Map')
        ? {}
        : { xmlbuilder2: cpuTime(() => Buffer.from(create(rooted(plain) as object).end()), context) }),
    },
  };
}

function reference(plain: unknown, context: BenchContext): Contender {
  return cpuTime(() => Buffer.from(JSON.stringify(plain)), context);
}

function bigCase(name: string, unit: string, atMost: number, ours: Contender): Case {
  return { name, unit, target: { atMost }, ours, rounds: 3 };
}
