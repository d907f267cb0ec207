import { BeanController } from '../beans/bean-controller.ts';

/** A registered symbol, since an application may have loaded two copies of this package. */
const controllerKey = Symbol.for('jig.beanController');

/** Lets what an application gets of a mount, such as a middleware, stand for its beans. */
export function standFor<Handle extends object, Context>(handle: Handle, controller: BeanController<Context>): Handle {
  return Object.defineProperty(handle, controllerKey, { value: controller, configurable: true });
}

/** The beans that something stands for, if it does. */
export function controllerOf(inspection: object): BeanController | undefined {
  if (inspection instanceof BeanController) return inspection;
  return Reflect.get(inspection, controllerKey) as BeanController | undefined;
}
