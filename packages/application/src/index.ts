export { contentSecurityPolicy } from '@jig/http';
export { Problem, type ProblemForm, type ProblemOptions } from '@jig/http/problem';
export type {
  AddOn,
  AddOnContext,
  Condition,
  Feature,
  Link,
  NeededBeans,
  Registration,
  Routes,
} from './add-ons/feature.ts';
export { defineAddOn, defineFeature } from './add-ons/feature.ts';
export type { Asset, AssetEncoding, Representation } from './assets/asset.ts';
export type { AssetDescription, LibraryDescription, PublishedLibrary } from './assets/assets.ts';
export { type Assets, installedLibrary } from './assets/assets.ts';
export type {
  BeanDefinition,
  BeanDescription,
  BeanName,
  BeanScope,
  BeanSource,
  Beans,
  BeanTypes,
  ScopedDefinition,
  SingletonDefinition,
} from './beans/bean-definition.ts';
export type { Setting, SettingsSchema, SettingValues } from './configuration/setting.ts';
export { boolean, choice, duration, integer, list, number, record, string } from './configuration/setting.ts';
export type { JigErrorOptions } from './errors.ts';
export { JigError } from './errors.ts';
export { problemResponse } from './http/api-operation.ts';
export type { Health, HealthCheck, PartHealth } from './http/health.ts';
export { type Application, createApplication } from './lifecycle/application.ts';
// These two declare the types of the host's own beans for users of the built package.
export type {} from './lifecycle/built-in.ts';
export type {} from './lifecycle/host-sessions.ts';
export type { ApplicationOptions, Replacements, SettingsOfSections } from './lifecycle/parts.ts';
export { runApplication } from './lifecycle/run-application.ts';
export type { CatalogObject } from './messages/catalog-set.ts';
export type { MessageArgument, MessageArguments } from './messages/message-format.ts';
export type { ContributedCatalogs, Messages } from './messages/messages.ts';
