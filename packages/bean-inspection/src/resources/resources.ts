import type { Resource } from '../beans/resource.ts';
import type { resourceNames } from '../http/resource-names.ts';
import { beanResource, outlineResource } from './bean-resource.ts';
import { instancesResource } from './instances-resource.ts';
import { mcpResource } from './mcp-resource.ts';
import {
  browserResource,
  compareResource,
  graphResource,
  metricsResource,
  patchResource,
  watchResource,
} from './page-resources.ts';

/** How each resource is answered. */
export const resources: Readonly<Record<keyof typeof resourceNames, Resource>> = {
  bean: beanResource,
  outline: outlineResource,
  graph: graphResource,
  compare: compareResource,
  patch: patchResource,
  watch: watchResource,
  metrics: metricsResource,
  instances: instancesResource,
  mcp: mcpResource,
  browser: browserResource,
};
