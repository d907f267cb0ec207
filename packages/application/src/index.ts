// Declares what routes say of themselves in `/openapi.json`.
export type {} from '@fastify/swagger';
export { contentSecurityPolicy } from '@jig/http';
export { Problem, type ProblemForm, type ProblemOptions } from '@jig/http/problem';
export { type Application, createApplication } from './application/application.ts';
// These two declare the types of the host's own beans for users of the built package.
export type {} from './application/host-beans.ts';
export type { ApplicationOptions, Replacements, SettingsOfSections } from './application/options.ts';
export { runApplication } from './application/run.ts';
export type {} from './application/sessions.ts';
export type {
  BeanDefinition,
  BeanName,
  BeanScope,
  BeanSource,
  Beans,
  BeanTypes,
  DefinedBean,
  ScopedDefinition,
  SingletonDefinition,
} from './beans/definition.ts';
export type { Setting, SettingsSchema, SettingValues } from './configuration/setting.ts';
export { boolean, choice, duration, integer, list, record, setting, string } from './configuration/setting.ts';
export type { JigErrorOptions } from './errors.ts';
export { JigError } from './errors.ts';
export type { Health, HealthCheck, PartHealth } from './http/health.ts';
export { problemResponse } from './http/openapi.ts';
export type {
  AddOn,
  AddOnContext,
  Condition,
  Feature,
  Link,
  NeededBeans,
  Registration,
  Routes,
} from './parts/feature.ts';
export { defineAddOn, defineFeature } from './parts/feature.ts';
