import { AddressParser, type ResourceNames } from './address.ts';

/** Everything that has addresses below the prefix. All mounts go by this table; what answers them is loaded at the first request. */
export const resourceNames = {
  bean: { name: 'bean', extensions: ['json', 'xml'], hasEntries: true },
  outline: { name: 'outline', extensions: [], hasEntries: true },
  graph: { name: 'graph', extensions: ['svg', 'dot', 'mmd'], hasEntries: false },
  compare: { name: 'compare', extensions: ['json'], hasEntries: false },
  patch: { name: 'compare.json-patch', extensions: [], hasEntries: false },
  watch: { name: 'watch', extensions: ['json', 'csv'], hasEntries: false },
  metrics: { name: 'metrics', extensions: [], hasEntries: false },
  instances: { name: 'instances', extensions: ['json'], hasEntries: false },
  mcp: { name: 'mcp', extensions: [], hasEntries: false },
  browser: { name: 'browser', extensions: [], hasEntries: true },
} satisfies Readonly<Record<string, ResourceNames>>;

export const addressParser = new AddressParser(Object.values(resourceNames));
