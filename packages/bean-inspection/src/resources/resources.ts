import type { Resource } from '../beans/resource.ts';
import { AddressParser } from '../http/address.ts';
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

/** Everything that has addresses below the prefix. All mounts go by this table. */
export const resources: readonly Resource[] = [
  beanResource,
  outlineResource,
  graphResource,
  compareResource,
  patchResource,
  watchResource,
  metricsResource,
  instancesResource,
  mcpResource,
  browserResource,
];

export const addressParser = new AddressParser(resources);
