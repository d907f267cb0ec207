import type { BeanController } from '../beans/bean-controller.ts';
import { ProcessBean } from '../process/process-bean.ts';
import { processName } from '../process/with-process.ts';

/** Starts what measures the process, where its bean is ours and may be seen. */
export function measureProcess<Context>(controller: BeanController<Context>): void {
  const found = controller.lookUp(processName);
  if (typeof found === 'object' && found.value instanceof ProcessBean) found.value.measure();
}
