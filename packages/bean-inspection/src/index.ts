export { type BeanInspectionHandler, type BeanInspectionOptions, beanInspection } from './mounts/inspector.ts';
export type { MetricOption, MetricOptions, ThresholdEvent, WatchedReading } from './options.ts';
export type { BeanCreation, BeanDescription, BeanScope, BeanSource, BeanValue } from './sources/bean-source.ts';
export type { Inspectable, PlainBeans } from './sources/plain.ts';
