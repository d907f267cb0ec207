import { inspect } from '@jig/inspect';
import { cpuTime } from '../cpu-time.ts';
import type { BenchContext, Case, Contender, Suite } from '../suite.ts';
import { type BenchBean, benchBeans } from './beans.ts';
import { bigBeans, longestTurn, memoryAbove } from './big-bean.ts';
import { masking } from './masking.ts';

export const beanInspectionSuite: Suite = {
  name: 'bean-inspection',
  about:
    'A live bean as bytes, masking and all rules on, against `Buffer.from(JSON.stringify(equivalent plain data))`; and what a bean of 2,000,000 entries does to the event loop and to memory.',
  open(context) {
    const beans = benchBeans().flatMap((bean) => [beanCase(bean, 'json', context), beanCase(bean, 'xml', context)]);
    const big = Object.entries(bigBeans).flatMap(([name, bean]) => [
      bigCase(`${name} of 2,000,000: longest turn`, 'ms CPU', 20, longestTurn(bean)),
      bigCase(`${name} of 2,000,000: memory`, 'MiB', 64, memoryAbove(bean)),
    ]);
    return { cases: [...beans, ...big] };
  },
};

function beanCase(benchBean: BenchBean, format: 'json' | 'xml', context: BenchContext): Case {
  const { name, bean, plain } = benchBean;
  const [speed, aim] = benchBean[format];
  return {
    name: `${name}, ${format.toUpperCase()}`,
    unit: 'µs CPU',
    target: { speed, aim },
    ours: cpuTime(() => inspect(bean, { format, masking }).toBytes(), context),
    reference: cpuTime(() => Buffer.from(JSON.stringify(plain)), context),
  };
}

function bigCase(name: string, unit: string, atMost: number, ours: Contender): Case {
  return { name, unit, target: { atMost }, ours, rounds: 3 };
}
