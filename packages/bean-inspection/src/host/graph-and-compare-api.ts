import { type ProblemForm, problemResponse } from '@jig/application';
import type { FastifySchema } from 'fastify';
import { snapshotLimits } from '../compare/snapshots.ts';
import type { InspectionSettings } from '../settings.ts';
import type { ApiDescription } from './api-description.ts';

const everyForm: readonly ProblemForm[] = ['json', 'xml', 'html'];

const text = { schema: { type: 'string' } };

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
  readonly forms?: readonly ProblemForm[];
}

const query = (name: string, description: string, others: object = {}) => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string' },
  ...others,
});

const owner = query('owner', 'The owners whose beans to show; all by default.', {
  schema: { type: 'array', items: { type: 'string' } },
  allowEmptyValue: true,
});

const from = 'The id or the name of a snapshot.';
const to = 'Another snapshot; without it, how the beans are now.';
const bean = 'The one bean to compare.';
const mayBeEmpty = { allowEmptyValue: true };
const notEmpty = { schema: { type: 'string', minLength: 1 } };

const comparisonParameters = [
  query('from', from, mayBeEmpty),
  query('to', to, mayBeEmpty),
  query('bean', bean, mayBeEmpty),
  query('kind', 'Only changes of this kind.', {
    schema: { type: 'string', enum: ['', 'changed', 'added', 'removed'] },
    ...mayBeEmpty,
  }),
  query('always', 'Whether to show values that always move.', {
    schema: { type: 'string', enum: ['', '0', '1', 'true', 'false'] },
    ...mayBeEmpty,
  }),
];

const snapshotSchema = {
  type: 'object',
  required: ['id', 'time', 'beans', 'bytes', 'leftOut'],
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    time: { type: 'string', format: 'date-time' },
    bean: { type: 'string', description: 'The only bean in it, if it was taken of one.' },
    beans: { type: 'integer' },
    bytes: { type: 'integer' },
    leftOut: { type: 'array', items: { type: 'string' }, description: 'Beans that are too large.' },
  },
};

const differenceSchema = {
  type: 'object',
  required: ['kind', 'pointer', 'alwaysMoves'],
  properties: {
    kind: { enum: ['changed', 'added', 'removed'] },
    pointer: { type: 'string', description: 'A JSON Pointer (RFC 6901).' },
    before: { description: 'The masked value before; absent for what was added.' },
    now: { description: 'The masked value now; absent for what was removed.' },
    alwaysMoves: { type: 'boolean' },
    isTooMuch: {
      const: true,
      description: 'In this container, more has changed than is listed; its values are left out.',
    },
  },
};

const comparisonSchema = {
  anyOf: [
    {
      description: 'Without `from`: the snapshots, the newest first.',
      type: 'object',
      required: ['snapshots'],
      properties: { snapshots: { type: 'array', items: snapshotSchema } },
    },
    {
      type: 'object',
      required: ['from', 'to', 'compared', 'beans'],
      properties: {
        from: snapshotSchema,
        to: { ...snapshotSchema, required: snapshotSchema.required.filter((name) => name !== 'id') },
        compared: { type: 'integer' },
        beans: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name', 'type', 'presence', 'differences'],
            properties: {
              name: { type: 'string' },
              type: { type: 'string' },
              typeBefore: { type: 'string' },
              presence: { enum: ['both', 'added', 'removed'] },
              differences: { type: 'array', items: differenceSchema },
            },
          },
        },
      },
    },
  ],
};

const patchSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['op', 'path'],
    properties: { op: { enum: ['add', 'remove', 'replace'] }, path: { type: 'string' }, value: {} },
  },
};

const snapshotFields = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: snapshotLimits.name, description: 'What to call it.' },
    bean: { type: 'string', description: 'The one bean to keep; all that exist by default.' },
    wait: {
      type: 'integer',
      minimum: 0,
      maximum: snapshotLimits.longestWait,
      description:
        'How many milliseconds lie between two looks, by which values that always move are known; 0 for one look.',
    },
  },
};

/** What `/jig/graph` and `/jig/compare` are, for `/openapi.json`. */
export function graphAndCompareApi({ token }: Pick<InspectionSettings, 'token'>): ApiDescription {
  const operation = ({ forms = everyForm, responses, ...described }: Described): FastifySchema => ({
    ...described,
    ...(token === undefined ? {} : { security: [{ bearer: [] }, { basic: [] }] }),
    responses: {
      ...responses,
      401: problemResponse('The token is missing or wrong.', forms),
      403: problemResponse('Beans are not shown to this client.', forms),
    },
  });
  const badParameter = (forms = everyForm) => problemResponse('A parameter has a value that is not allowed.', forms);
  const noSnapshot = (forms = everyForm) => problemResponse('There is no such snapshot, or no such bean.', forms);
  const file = (
    operationId: string,
    name: string,
    mediaType: string,
    others: Readonly<Record<string, object>> = {},
  ) => ({
    get: operation({
      operationId,
      summary: `What needs what, as ${name}.`,
      parameters: [owner],
      responses: { 200: { description: `The graph as ${name}.`, content: { [mediaType]: text } }, ...others },
    }),
  });
  const keep = (operationId: string, forms: readonly ProblemForm[]) =>
    operation({
      operationId,
      summary: 'Keeps a snapshot of the beans that exist. Creates none.',
      forms,
      requestBody: {
        content: {
          'application/x-www-form-urlencoded': { schema: snapshotFields },
          'application/json': { schema: snapshotFields },
        },
      },
      responses: {
        201: { description: 'It is kept.', content: { 'application/json': { schema: snapshotSchema } } },
        ...(forms.includes('html') ? { 303: { description: 'It is kept; the page shows it.' } } : {}),
        400: badParameter(forms),
        404: noSnapshot(forms),
        413: problemResponse('The bean, or the body, is too large.', forms),
        415: problemResponse('The body is neither a form nor JSON.', forms),
      },
    });
  const compare = (operationId: string, content: object, forms: readonly ProblemForm[]) =>
    operation({
      operationId,
      summary: 'The snapshots, or what has changed since one of them.',
      forms,
      parameters: comparisonParameters,
      responses: {
        200: { description: 'The snapshots, or the differences.', content },
        400: badParameter(forms),
        404: noSnapshot(forms),
      },
    });
  const json = { 'application/json': { schema: comparisonSchema } };
  return {
    '/graph': file('beanGraph', 'a page', 'text/html'),
    '/graph.svg': file('beanGraphAsSvg', 'SVG', 'image/svg+xml', {
      400: problemResponse('There are too many beans to draw.', everyForm),
    }),
    '/graph.dot': file('beanGraphAsDot', 'DOT', 'text/vnd.graphviz'),
    '/graph.mmd': file('beanGraphAsMermaid', 'Mermaid', 'text/vnd.mermaid'),
    '/compare': {
      get: compare('compareBeans', { ...json, 'text/html': text }, everyForm),
      post: keep('keepSnapshot', everyForm),
    },
    '/compare.json': {
      get: compare('compareBeansAsJson', json, ['json']),
      post: keep('keepSnapshotAsJson', ['json']),
    },
    '/compare.json-patch': {
      get: operation({
        operationId: 'compareBeansAsPatch',
        summary: 'What has changed since a snapshot, as JSON Patch (RFC 6902).',
        parameters: [
          query('from', from, { ...notEmpty, required: true }),
          query('to', to, notEmpty),
          query('bean', bean, notEmpty),
        ],
        responses: {
          200: {
            description: 'Operations that turn the document of then into that of now.',
            content: { 'application/json-patch+json': { schema: patchSchema } },
          },
          400: badParameter(),
          404: noSnapshot(),
        },
      }),
    },
  };
}
