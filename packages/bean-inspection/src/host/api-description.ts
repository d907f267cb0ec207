import { type ProblemForm, problemResponse } from '@jig/application';
import { outlineKinds } from '@jig/inspect/internal';
import type { FastifySchema } from 'fastify';
import { snapshotLimits } from '../compare/snapshots.ts';
import * as query from '../http/query-parameters.ts';
import type { InspectionSettings } from './settings.ts';

type Schemas = Readonly<Record<string, object>>;

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const number = { type: 'number' };
const boolean = { type: 'boolean' };
const list = (items: object) => ({ type: 'array', items });
const oneOf = (...values: readonly string[]) => ({ type: 'string', enum: values });
const object = (required: Schemas, optional: Schemas = {}) => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
});

const kind = oneOf(...outlineKinds);
const outlineEntry = object(
  { key: text, pointer: text, kind, type: text, preview: text, isCut: boolean, canOpen: boolean },
  { size: count, target: text, name: text, hasPrivateFields: boolean, entries: { type: 'object' } },
);
const outline = object(
  { pointer: text, kind, type: text, from: count, entries: list(outlineEntry), hasMore: boolean },
  { size: count, target: text, hasPrivateFields: boolean, isUnreached: boolean, text },
);

const kept = { time: { ...text, format: 'date-time' }, beans: count, bytes: count, leftOut: list(text) };
const snapshot = object({ id: text, ...kept }, { name: text, bean: text });
const difference = object(
  { kind: oneOf('changed', 'added', 'removed'), pointer: text, alwaysMoves: boolean },
  { before: {}, now: {}, isTooMuch: { const: true } },
);
const comparedBean = object(
  { name: text, type: text, presence: oneOf('both', 'added', 'removed'), differences: list(difference) },
  { typeBefore: text },
);
const now = object(kept, { id: text, name: text, bean: text });
const comparison = {
  anyOf: [
    object({ snapshots: list(snapshot) }),
    object({ from: snapshot, to: now, compared: count, beans: list(comparedBean) }),
  ],
};
const patch = list(object({ op: oneOf('add', 'remove', 'replace'), path: text }, { value: {} }));
const { name: maxLength, longestWait: maximum } = snapshotLimits;
const snapshotFields = object({}, { name: { ...text, maxLength }, bean: text, wait: { ...count, maximum } });

const interval = { from: { ...text, format: 'date-time' } };
const watchLimits = { over: number, under: number };
const watchedValue = object(
  {
    bean: text,
    points: list(object({ time: text, min: number, mean: number, max: number })),
    gaps: list(object({ ...interval, reason: text }, { to: text })),
    crossings: list(
      object(
        { ...interval, crossed: oneOf('over', 'under'), limit: number, farthest: number },
        { to: text, snapshot: text, noSnapshot: text },
      ),
    ),
  },
  {
    at: text,
    reading: text,
    unit: text,
    of: number,
    ...watchLimits,
    value: number,
    fault: text,
    min: number,
    mean: number,
    max: number,
  },
);
const watched = object({ range: text, time: text, stepSeconds: number, values: list(watchedValue) });
const action = oneOf('', 'watch', 'remove');
const watchFields = object({}, { bean: text, at: text, reading: text, ...watchLimits, action, back: text });

const contentOf = (schemas: Schemas) => ({
  content: Object.fromEntries(Object.entries(schemas).map(([mediaType, schema]) => [mediaType, { schema }])),
});

const everyForm: readonly ProblemForm[] = ['json', 'xml', 'html'];
const mediaTypes = { json: 'application/json', xml: 'application/xml', html: 'text/html' } as const;
const documentIn = (...forms: readonly ProblemForm[]): Schemas =>
  Object.fromEntries(forms.map((form) => [mediaTypes[form], {}]));
const asJson = (schema: object) => ({ 'application/json': schema });
const message = asJson({ type: 'object' });

/** In place of an answer. Those of the first four statuses can come of any address. */
const problems = {
  401: 'The token is missing or wrong.',
  403: 'Beans are not shown to this client, or this bean is closed.',
  400: 'A parameter has a value that is not allowed, or asks for too much. Parameters of other names are ignored.',
  404: 'Resource not found: there is no such bean, part, reading, snapshot or instance.',
  405: 'This is the address of a document, and no bean has this name.',
  406: 'You accept none of its media types.',
  409: 'The bean does not exist, and looking creates none: POST does. Or too many values are watched.',
  413: 'The bean, or the body, is too large.',
  415: 'The body has a media type that this address does not take.',
  503: 'The bean cannot be made, or the reading not be read, or not in time.',
};

interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly parameters?: query.Parameters;
  /** By media type. */
  readonly body?: Schemas;
  readonly needsBody?: boolean;
  /** By status and media type. */
  readonly answers: Readonly<Record<number, Schemas>>;
  /** Beside those that can come of any address. */
  readonly problems?: readonly (keyof typeof problems)[];
}

const beans = { summary: 'The beans there are, or where a text is in them.', parameters: query.listParameters };
const ofBean = { problems: [409, 503] } as const;
const compare = {
  summary: 'The snapshots, or what has changed since one of them.',
  parameters: query.comparisonParameters,
};
const keep = {
  summary: 'Keeps a snapshot of the beans that exist. Creates none.',
  body: { 'application/x-www-form-urlencoded': snapshotFields, 'application/json': snapshotFields },
  problems: [413, 415],
} as const;
const watch = { summary: 'Values over time.', parameters: query.watchParameters, problems: [404] } as const;
const { range: _range, ...ofValue } = query.watchParameters;
const change = {
  summary: 'Records a value, sets its limits, or ends that.',
  body: { 'application/x-www-form-urlencoded': watchFields, 'application/json': watchFields },
  parameters: query.changeParameters,
  problems: [404, 409, 413, 415, 503],
} as const;
const end = {
  summary: 'Ends recording a value.',
  parameters: { ...ofValue, bean: query.changeParameters.bean },
  problems: [404, 413, 415],
} as const;
const graph = (id: string, name: string, mediaType: string): Readonly<Record<'get', Operation>> => ({
  get: {
    id,
    summary: `What needs what, as ${name}.`,
    parameters: query.graphParameters,
    answers: { 200: { [mediaType]: text } },
  },
});

/** The addresses below the prefix, and their methods. */
const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  '/bean': { get: { id: 'beans', ...beans, answers: { 200: documentIn(...everyForm) }, problems: [406] } },
  '/bean.json': { get: { id: 'beansAsJson', ...beans, answers: { 200: documentIn('json') } } },
  '/bean.xml': { get: { id: 'beansAsXml', ...beans, answers: { 200: documentIn('xml') } } },
  '/bean/:name': {
    post: {
      id: 'createBean',
      summary:
        'Creates a bean that does not exist, and shows it; or asks for a reading of it. All of what follows the slash is its name.',
      parameters: { ...query.beanDocumentParameters, ...query.askParameters },
      answers: { 200: documentIn(...everyForm), 201: documentIn(...everyForm), 303: {} },
      problems: [405, 406, 409, 413, 503],
    },
  },
  '/bean/:name.json': {
    get: {
      id: 'beanAsJson',
      summary: 'One bean, as JSON; as an event stream, again whenever it differs.',
      parameters: query.beanParameters,
      answers: { 200: { ...documentIn('json'), 'text/event-stream': text } },
      ...ofBean,
    },
  },
  '/bean/:name.xml': {
    get: {
      id: 'beanAsXml',
      summary: 'One bean, as XML.',
      parameters: query.beanDocumentParameters,
      answers: { 200: documentIn('xml') },
      ...ofBean,
    },
  },
  '/outline/:name.json': {
    get: {
      id: 'outline',
      summary: 'A part of one bean as rows with their kind, type, size and a preview.',
      parameters: query.outlineParameters,
      answers: { 200: asJson(outline) },
      ...ofBean,
    },
  },
  '/graph': graph('beanGraph', 'a page', 'text/html'),
  '/graph.svg': graph('beanGraphAsSvg', 'SVG', 'image/svg+xml'),
  '/graph.dot': graph('beanGraphAsDot', 'DOT', 'text/vnd.graphviz'),
  '/graph.mmd': graph('beanGraphAsMermaid', 'Mermaid', 'text/vnd.mermaid'),
  '/compare': {
    get: { id: 'compareBeans', ...compare, answers: { 200: { ...asJson(comparison), 'text/html': text } } },
    post: { id: 'keepSnapshot', ...keep, answers: { 201: asJson(snapshot), 303: {} } },
  },
  '/compare.json': {
    get: { id: 'compareBeansAsJson', ...compare, answers: { 200: asJson(comparison) } },
    post: { id: 'keepSnapshotAsJson', ...keep, answers: { 201: asJson(snapshot) } },
  },
  '/compare.json-patch': {
    get: {
      id: 'compareBeansAsPatch',
      summary: 'What has changed since a snapshot, as JSON Patch (RFC 6902).',
      parameters: query.patchParameters,
      answers: { 200: { 'application/json-patch+json': patch } },
    },
  },
  '/instances.json': {
    get: {
      id: 'instances',
      summary: 'The instances of the application that this one can ask, and itself.',
      answers: { 200: asJson(list(object({ id: text, label: text }, { pid: count, startedAt: text, fault: text }))) },
    },
  },
  '/watch': {
    get: {
      id: 'watch',
      ...watch,
      answers: { 200: { ...asJson(watched), 'text/html': text, 'text/event-stream': text } },
      problems: [404, 503],
    },
    post: { id: 'watchValue', ...change, answers: { 200: asJson(watchedValue), 201: asJson(watchedValue), 303: {} } },
    delete: { id: 'endWatch', ...end, answers: { 200: asJson({ type: 'object' }), 303: {} } },
  },
  '/watch.json': { get: { id: 'watchAsJson', ...watch, answers: { 200: asJson(watched) } } },
  '/watch.csv': { get: { id: 'watchAsCsv', ...watch, answers: { 200: { 'text/csv': text } } } },
  '/metrics': {
    get: {
      id: 'metrics',
      summary: 'Readings with the name of a metric, in the text format of Prometheus.',
      answers: { 200: { 'text/plain': text, 'application/openmetrics-text': text } },
    },
  },
  '/mcp': {
    post: {
      id: 'mcp',
      summary: 'The beans for coding agents: one message of the Model Context Protocol.',
      body: message,
      needsBody: true,
      answers: { 200: message, 202: {}, 400: message, 404: message },
      problems: [413, 415],
    },
  },
};

const meanings: Readonly<Record<string, string>> = {
  200: 'What was asked for.',
  201: 'It was created.',
  202: 'A notification, which is not answered.',
  303: 'The page shows it.',
  400: 'The message is malformed, or for another version.',
  404: 'There is no such method.',
};

const beanName = { name: 'name', in: 'path', required: true, schema: { type: 'string', minLength: 1 } };
const instanceId = { description: 'The id of the instance that answered.', schema: text };
const truncated = {
  description: 'There when something was left out of a document; in a long one it comes as a trailer.',
  schema: oneOf('true'),
};

/** What `/openapi.json` says of each address below the prefix, by method. */
export function apiDescription({
  token,
  mcp,
  ...bounds
}: Pick<InspectionSettings, 'token' | 'mcp' | keyof query.Bounds>) {
  const describe = (path: string, { id, summary, parameters = {}, body, ...told }: Operation): FastifySchema => {
    const headers = {
      headers: { 'Jig-Instance': instanceId, ...('depth' in parameters ? { 'Jig-Truncated': truncated } : {}) },
    };
    const answers = Object.entries(told.answers).map(([status, schemas]) => {
      const content = Object.keys(schemas).length === 0 ? {} : { ...contentOf(schemas), ...headers };
      return [status, { description: meanings[status], ...content }];
    });
    const forms = everyForm.filter((form) => path.endsWith(`.${form}`));
    const refusals = ([401, 403, 400, 404, ...(told.problems ?? [])] as const).map((status) => {
      const comeAs = status === 406 ? (['json'] as const) : forms.length === 0 ? everyForm : forms;
      return [status, problemResponse(problems[status], comeAs)];
    });
    return {
      operationId: id,
      summary,
      parameters: [
        ...(path.includes(':name') ? [beanName] : []),
        ...query.describeParameters({ ...parameters, ...query.instanceParameters }, bounds),
      ],
      ...(body === undefined ? {} : { requestBody: { required: told.needsBody === true, ...contentOf(body) } }),
      // Basic is for browsers, which ask for a password: the name is free.
      ...(token === undefined ? {} : { security: [{ bearer: [] }, { basic: [] }] }),
      responses: Object.fromEntries([...refusals, ...answers]),
    };
  };
  const mapEntries = <From, To>(table: Readonly<Record<string, From>>, map: (key: string, value: From) => To) =>
    Object.fromEntries(Object.entries(table).map(([key, value]) => [key, map(key, value)]));
  const { '/mcp': agents, ...others } = operations;
  const shown = mcp && agents !== undefined ? { ...others, '/mcp': agents } : others;
  return mapEntries(shown, (path, methods) => mapEntries(methods, (_method, each) => describe(path, each)));
}
