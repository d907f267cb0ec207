export { type BeanInspectionHandler, type BeanInspectionOptions, beanInspection } from './handler.ts';
