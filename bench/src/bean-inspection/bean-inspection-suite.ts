import { inspect } from '@jig/inspect';
import { cpuTime } from '../cpu-time.ts';
import type { BenchContext, Case, Suite } from '../suite.ts';
import { type BenchBean, benchBeans, masking } from './bench-beans.ts';

export const beanInspectionSuite: Suite = {
  name: 'bean-inspection',
  about:
    'A live bean as bytes, masking and all rules on, against `Buffer.from(JSON.stringify(equivalent plain data))`.',
  open: (context) => ({
    cases: benchBeans().flatMap((bean) => [beanCase(bean, 'json', context), beanCase(bean, 'xml', context)]),
  }),
};

function beanCase(benchBean: BenchBean, format: 'json' | 'xml', context: BenchContext): Case {
  const { name, bean, plain } = benchBean;
  const [speed, aim] = benchBean[format];
  return {
    name: `${name}, ${format.toUpperCase()}`,
    unit: 'µs CPU',
    target: { speed, aim },
    warmUps: 2,
    ours: cpuTime(() => inspect(bean, { format, masking }).toBytes(), context),
    reference: cpuTime(() => Buffer.from(JSON.stringify(plain)), context),
  };
}
