export type { MetricOption, MetricOptions } from './beans/metric-options.ts';
export { type BeanInspectionHandler, type BeanInspectionOptions, beanInspection } from './mounts/inspector.ts';
export type { BeanCreation, BeanDescription, BeanScope, BeanSource, BeanValue } from './sources/bean-source.ts';
export type { Inspectable, PlainBeans } from './sources/plain.ts';
export type { ThresholdEvent, WatchedReading } from './watch/recording-options.ts';
