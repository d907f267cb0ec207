export type { BeanCreation, BeanDescription, BeanScope, BeanSource, BeanValue } from './bean-source.ts';
export { type BeanInspectionHandler, type BeanInspectionOptions, beanInspection } from './inspector.ts';
export type { Inspectable, PlainBeans } from './sources/plain.ts';
