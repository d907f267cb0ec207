import * as query from './http/parameters.ts';

/** An address below the prefix, for one method. `handle.ts` has the function of each. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `{name}` is the name of a bean or a file; before an extension, everything up to the last dot. */
  readonly path: string;
  readonly summary: string;
  /** Of the query, and of the fields of a body. */
  readonly parameters: query.Parameters;
  readonly body?: 'fields' | 'message';
  /** Media types of the answer. Without an extension in the path, `Accept` chooses. */
  readonly types: readonly string[];
  /** The statuses of success; 200 alone by default. */
  readonly statuses?: readonly number[];
  /** Used by our own pages only; not in `/openapi.json`. */
  readonly isInternal?: boolean;
}

const json = 'application/json';
const xml = 'application/xml';
const html = 'text/html';
const events = 'text/event-stream';

const beans = {
  method: 'GET',
  summary: 'The list of beans, or the places where a text occurs in them.',
  parameters: query.listParameters,
} as const;
const graph = { method: 'GET', parameters: query.graphParameters } as const;
const compare = {
  method: 'GET',
  summary: 'The snapshots, or what has changed since one of them.',
  parameters: query.comparisonParameters,
} as const;
const keep = {
  method: 'POST',
  summary: 'Keeps a snapshot of the beans that exist. Creates no bean.',
  parameters: query.snapshotParameters,
  body: 'fields',
  statuses: [201],
} as const;
const instances = {
  method: 'GET',
  summary: 'The instances of the application on this machine, and this one.',
  parameters: {},
} as const;
const watch = { method: 'GET', summary: 'Values over time.', parameters: query.watchParameters } as const;

/** All addresses. Methods, parameters and `/openapi.json` come from here. */
export const routes = {
  beans: { ...beans, path: 'bean', types: [json, xml, html] },
  beansAsJson: { ...beans, path: 'bean.json', types: [json] },
  beansAsXml: { ...beans, path: 'bean.xml', types: [xml] },
  beanAsJson: {
    method: 'GET',
    path: 'bean/{name}.json',
    summary: 'One bean, as JSON; as an event stream, again whenever it differs.',
    parameters: query.beanParameters,
    types: [json, events],
  },
  beanAsXml: {
    method: 'GET',
    path: 'bean/{name}.xml',
    summary: 'One bean, as XML.',
    parameters: query.beanXmlParameters,
    types: [xml],
  },
  beanPage: {
    method: 'GET',
    path: 'bean/{name}.html',
    summary: 'One bean, as a page.',
    parameters: {},
    types: [html, events],
    isInternal: true,
  },
  beanWithoutExtension: {
    method: 'GET',
    path: 'bean/{name}',
    summary: 'Redirects a browser to the page of a bean.',
    parameters: {},
    types: [html],
    isInternal: true,
  },
  // Also asks for readings. The key is the `operationId` of OpenAPI clients, so it stays.
  createBean: {
    method: 'POST',
    path: 'bean/{name}',
    summary: 'Creates a bean that does not exist, and shows it; or asks for a reading of it. The name may have dots.',
    parameters: { ...query.beanDocumentParameters, ...query.askParameters },
    body: 'fields',
    types: [json, xml, html],
    statuses: [200, 201, 303],
  },
  graph: { ...graph, path: 'graph', summary: 'Dependencies, as a page.', types: [html] },
  graphAsDot: { ...graph, path: 'graph.dot', summary: 'Dependencies, as DOT.', types: ['text/vnd.graphviz'] },
  graphAsMermaid: { ...graph, path: 'graph.mmd', summary: 'Dependencies, as Mermaid.', types: ['text/vnd.mermaid'] },
  compareBeans: { ...compare, path: 'compare', types: [json, html] },
  compareBeansAsJson: { ...compare, path: 'compare.json', types: [json] },
  compareBeansAsPatch: {
    method: 'GET',
    path: 'compare.json-patch',
    summary: 'What has changed since a snapshot, as JSON Patch (RFC 6902).',
    parameters: query.patchParameters,
    types: ['application/json-patch+json'],
  },
  keepSnapshot: { ...keep, path: 'compare', types: [json, html], statuses: [201, 303] },
  keepSnapshotAsJson: { ...keep, path: 'compare.json', types: [json] },
  watch: { ...watch, path: 'watch', types: [json, html, events] },
  watchAsJson: { ...watch, path: 'watch.json', types: [json] },
  watchValue: {
    method: 'POST',
    path: 'watch',
    summary: 'Records a value, sets its limits, or ends that.',
    parameters: query.changeParameters,
    body: 'fields',
    types: [json, html],
    statuses: [200, 201, 303],
  },
  endWatch: {
    method: 'DELETE',
    path: 'watch',
    summary: 'Ends recording a value.',
    parameters: query.changeParameters,
    body: 'fields',
    types: [json, html],
    statuses: [200, 303],
  },
  metrics: {
    method: 'GET',
    path: 'metrics',
    summary: 'Readings with the name of a metric, in the text format of Prometheus.',
    parameters: {},
    types: ['text/plain'],
  },
  instances: { ...instances, path: 'instances', types: [json, html] },
  instancesAsJson: { ...instances, path: 'instances.json', types: [json] },
  mcp: {
    method: 'POST',
    path: 'mcp',
    summary: 'The beans for coding agents: one message of the Model Context Protocol.',
    parameters: {},
    body: 'message',
    types: [json],
  },
  asset: {
    method: 'GET',
    path: 'browser/{name}',
    summary: 'The style sheet and the script of the pages.',
    parameters: {},
    types: ['text/css', 'text/javascript'],
    isInternal: true,
  },
} as const satisfies Readonly<Record<string, Route>>;

export type RouteId = keyof typeof routes;

/** A route and its key in `routes`. */
export interface RouteOf {
  readonly id: RouteId;
  readonly route: Route;
}

/** The routes that a path may mean, by method, and the name in the path. */
export interface Candidate {
  readonly routes: ReadonlyMap<string, RouteOf>;
  readonly name: string;
  /** Whether another candidate comes first. */
  readonly isFallback: boolean;
}

const byPath = new Map<string, Map<string, RouteOf>>();
for (const [id, route] of Object.entries(routes) as [RouteId, Route][]) {
  const path = route.path.replace('{name}', '*');
  byPath.set(path, (byPath.get(path) ?? new Map()).set(route.method, { id, route }));
}

/** Whether a path is ours; all others belong to the application. */
export function isOurs(path: string): boolean {
  const slash = path.indexOf('/');
  return byPath.has(slash === -1 ? path : `${path.slice(0, slash)}/*`);
}

/** `bean/a.json` is the document of `a`, otherwise the bean `a.json`. Throws a `URIError` for malformed escapes. */
export function findRoutes(path: string): readonly Candidate[] {
  const candidates: Candidate[] = [];
  const add = (key: string, name: string) => {
    const found = byPath.get(key);
    if (found !== undefined) candidates.push({ routes: found, name, isFallback: candidates.length > 0 });
  };
  const slash = path.indexOf('/');
  const file = path.slice(slash + 1);
  if (slash === -1) add(path, '');
  // A slash in a name must be encoded.
  else if (!file.includes('/')) {
    const folder = path.slice(0, slash);
    const name = decodeURIComponent(file);
    const dot = name.lastIndexOf('.');
    if (dot !== -1) add(`${folder}/*${name.slice(dot)}`, name.slice(0, dot));
    add(`${folder}/*`, name);
  }
  return candidates;
}
