import { type ProblemForm, problemResponse } from '@jig/application';
import { outlineKinds } from '@jig/inspect/internal';
import type { FastifySchema } from 'fastify';
import { longestFindText } from '../bean-resource.ts';
import { largestCounts, longestPause, mostOutlineRows } from '../requested-options.ts';
import type { InspectionSettings } from '../settings.ts';

/** Paths to methods to what `/openapi.json` says of them. */
export type ApiDescription = Readonly<Record<string, Readonly<Record<string, FastifySchema>>>>;

type DescribedSettings = Pick<InspectionSettings, 'depth' | 'limit' | 'token'>;

const mediaTypes = { json: 'application/json', xml: 'application/xml', html: 'text/html' } as const;

const count = (maximum: number) => ({ schema: { type: 'integer', minimum: 1, maximum } });
const flag = {
  schema: { anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['', '0', '1'] }] },
  allowEmptyValue: true,
};

const part = {
  name: 'at',
  description: 'A JSON Pointer (RFC 6901) to the part to show; empty for all of it.',
  schema: { type: 'string', pattern: '^(?:/(?:[^/~]|~[01])*)*$' },
  allowEmptyValue: true,
};

const from = {
  name: 'from',
  description: 'How many entries of that part to pass over; beyond the last there are none.',
  schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
};

const inQuery = (parameters: readonly object[]) => parameters.map((parameter) => ({ ...parameter, in: 'query' }));

function documentParameters(settings: DescribedSettings): readonly object[] {
  const { depth, limit } = largestCounts(settings);
  return inQuery([
    part,
    from,
    { name: 'depth', description: 'How many containers deep to look.', ...count(depth) },
    { name: 'limit', description: 'How many entries of each container to show.', ...count(limit) },
    { name: 'pretty', description: 'Whether to indent.', ...flag },
    { name: 'namespaces', description: 'Whether XML declares a namespace for every prefix.', ...flag },
  ]);
}

function outlineParameters(settings: DescribedSettings): readonly object[] {
  const { depth, limit } = largestCounts(settings);
  return inQuery([
    part,
    from,
    {
      name: 'limit',
      description: 'How many entries of each container to show; 100 by default.',
      ...count(Math.min(limit, mostOutlineRows)),
    },
    { name: 'levels', description: 'How many levels to open; 1 by default.', ...count(depth) },
  ]);
}

const findParameter = {
  name: 'find',
  in: 'query',
  description: 'A text to look for in all beans that exist, in place of the list; what is masked is not searched.',
  schema: { type: 'string', minLength: 1, maxLength: longestFindText, pattern: '\\S' },
};

const everyParameter = {
  name: 'every',
  in: 'query',
  description: 'How many seconds to wait between two looks, when an event stream is asked for; 1 by default.',
  ...count(longestPause),
};

const beanName = {
  name: 'name',
  in: 'path',
  required: true,
  description: 'The name of the bean.',
  schema: { type: 'string', minLength: 1 },
};

const truncated = {
  description: 'There when something was left out; in a long document it comes as a trailer.',
  schema: { type: 'string', enum: ['true'] },
};

interface Described {
  readonly operationId: string;
  readonly summary: string;
  /** Which the answer can have, and its problems with it. */
  readonly forms: readonly ProblemForm[];
  readonly isBean?: boolean;
  readonly parameters: readonly object[];
  /** What the answer can be beside its forms, or more closely. */
  readonly content?: Readonly<Record<string, object>>;
}

function operation(
  settings: DescribedSettings,
  { operationId, summary, forms, isBean = false, parameters, content: others = {} }: Described,
): FastifySchema {
  const content = { ...Object.fromEntries(forms.map((form) => [mediaTypes[form], { schema: {} }])), ...others };
  return {
    operationId,
    summary,
    parameters: isBean ? [beanName, ...parameters] : parameters,
    // Basic is for browsers, which ask for a password: the name is free.
    ...(settings.token === undefined ? {} : { security: [{ bearer: [] }, { basic: [] }] }),
    responses: {
      200: {
        description: 'The value, or the part that `at` names, whatever it holds; in chunks.',
        headers: { 'Jig-Truncated': truncated },
        content,
      },
      400: problemResponse(
        'A parameter has a value that is not allowed. Parameters of other names are ignored.',
        forms,
      ),
      401: problemResponse('The token is missing or wrong.', forms),
      403: problemResponse('Beans are not shown to this client, or this bean is closed.', forms),
      404: problemResponse(isBean ? 'Resource not found' : 'There is no such part.', forms),
      ...(isBean
        ? {
            409: problemResponse('The bean does not exist, and looking creates none: POST does.', forms),
            503: problemResponse('The bean cannot be made, or not in time.', forms),
          }
        : {}),
    },
  };
}

const withNotAcceptable = ({ responses, ...others }: FastifySchema): FastifySchema => ({
  ...others,
  responses: { ...responses, 406: problemResponse('You accept none of its media types.', ['json']) },
});

const entryProperties = {
  key: { type: 'string' },
  pointer: { type: 'string', description: 'As `at` takes it.' },
  kind: { type: 'string', enum: outlineKinds, description: 'The last five are markers, never data.' },
  type: { type: 'string', description: 'The class, or what comes nearest.' },
  size: { type: 'integer', minimum: 0, description: 'Entries of a container, characters of a text, bytes.' },
  preview: { type: 'string', description: 'A short text, masked.' },
  isCut: { type: 'boolean', description: 'Whether there is more of the text than its preview.' },
  canOpen: { type: 'boolean', description: 'Whether it has entries that `at` leads to.' },
  target: { type: 'string', description: 'The pointer of the ancestor that a reference leads to.' },
  name: { type: 'string', description: 'The name of the bean that it is, if it is another bean.' },
  hasPrivateFields: {
    type: 'boolean',
    description: 'Whether nothing is to be seen in it since its class seems to have private fields.',
  },
  entries: { type: 'object', description: 'The outline of its entries, where it was opened.' },
};

const outlineSchema = {
  type: 'object',
  required: ['pointer', 'kind', 'type', 'from', 'entries', 'hasMore'],
  properties: {
    pointer: { type: 'string' },
    kind: entryProperties.kind,
    type: entryProperties.type,
    size: entryProperties.size,
    from: { type: 'integer', minimum: 0 },
    entries: {
      type: 'array',
      items: {
        type: 'object',
        required: ['key', 'pointer', 'kind', 'type', 'preview', 'isCut', 'canOpen'],
        properties: entryProperties,
      },
    },
    hasMore: { type: 'boolean', description: 'Whether there are entries after these, or more of the text.' },
    hasPrivateFields: entryProperties.hasPrivateFields,
    isUnreached: { type: 'boolean', description: 'Whether time was up before the first of these was reached.' },
    text: { type: 'string', description: 'The whole text of what is no container.' },
    target: entryProperties.target,
  },
};

/** A bean may have any name, also one that ends like a document: the whole of it is the name here. */
function creation(settings: DescribedSettings): FastifySchema {
  const { responses, ...described } = operation(settings, {
    operationId: 'createBean',
    summary: 'Creates a bean that does not exist, and shows it.',
    forms: ['json', 'xml', 'html'],
    isBean: true,
    parameters: documentParameters(settings),
  });
  const { 409: _, 200: shown, ...others } = responses as Readonly<Record<number, object>>;
  return withNotAcceptable({
    ...described,
    responses: {
      ...others,
      200: { ...shown, description: 'It existed before.' },
      201: { ...shown, description: 'It was created; it is kept unless there is one for each request or use.' },
      303: { description: 'It was created; the page shows it.' },
      405: problemResponse('This is the address of a document, and no bean has this name.', ['json', 'xml', 'html']),
    },
  });
}

/** What the routes are, for `/openapi.json`. */
export function beanApi(settings: DescribedSettings): ApiDescription {
  const get = (described: Described) => ({ get: operation(settings, described) });
  const ofDocument = documentParameters(settings);
  const ofList = [...ofDocument, findParameter];
  const list = 'The beans there are, or where a text is in them';
  return {
    '/bean': {
      get: withNotAcceptable(
        operation(settings, {
          operationId: 'beans',
          summary: `${list}.`,
          forms: ['json', 'xml', 'html'],
          parameters: ofList,
        }),
      ),
    },
    '/bean.json': get({
      operationId: 'beansAsJson',
      summary: `${list}, as JSON.`,
      forms: ['json'],
      parameters: ofList,
    }),
    '/bean.xml': get({
      operationId: 'beansAsXml',
      summary: `${list}, as XML.`,
      forms: ['xml'],
      parameters: ofList,
    }),
    '/bean/:name': { post: creation(settings) },
    '/bean/:name.json': get({
      operationId: 'beanAsJson',
      summary: 'One bean, as JSON; as an event stream, again whenever it differs.',
      forms: ['json'],
      isBean: true,
      parameters: [...ofDocument, everyParameter],
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    }),
    '/bean/:name.xml': get({
      operationId: 'beanAsXml',
      summary: 'One bean, as XML.',
      forms: ['xml'],
      isBean: true,
      parameters: ofDocument,
    }),
    '/outline/:name.json': get({
      operationId: 'outline',
      summary: 'A part of one bean as rows with their kind, type, size and a preview.',
      forms: ['json'],
      isBean: true,
      parameters: outlineParameters(settings),
      content: { 'application/json': { schema: outlineSchema } },
    }),
  };
}
