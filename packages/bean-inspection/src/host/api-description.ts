import { type ApiDescription, type ApiOperation, type ProblemForm, problemResponse } from '@jig/application';
import { largestCounts } from '../requested-options.ts';
import type { InspectionSettings } from '../settings.ts';

type DescribedSettings = Pick<InspectionSettings, 'depth' | 'limit' | 'token'>;

const mediaTypes = { json: 'application/json', xml: 'application/xml', html: 'text/html' } as const;

const count = (maximum: number) => ({ schema: { type: 'integer', minimum: 1, maximum } });
const flag = {
  schema: { anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['', '0', '1'] }] },
  allowEmptyValue: true,
};

function parametersFor(settings: DescribedSettings): readonly object[] {
  const { depth, limit } = largestCounts(settings);
  return [
    {
      name: 'at',
      description: 'A JSON Pointer (RFC 6901) to the part to show; empty for all of it.',
      schema: { type: 'string', pattern: '^(?:/(?:[^/~]|~[01])*)*$' },
      allowEmptyValue: true,
    },
    { name: 'depth', description: 'How many containers deep to look.', ...count(depth) },
    { name: 'limit', description: 'How many entries of each container to show.', ...count(limit) },
    { name: 'pretty', description: 'Whether to indent.', ...flag },
    { name: 'namespaces', description: 'Whether XML declares a namespace for every prefix.', ...flag },
  ].map((parameter) => ({ ...parameter, in: 'query' }));
}

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
}

function operation(
  settings: DescribedSettings,
  { operationId, summary, forms, isBean = false }: Described,
): ApiOperation {
  const content = Object.fromEntries(forms.map((form) => [mediaTypes[form], { schema: {} }]));
  const parameters = parametersFor(settings);
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
      ...(isBean ? { 503: problemResponse('The bean cannot be made.', forms) } : {}),
    },
  };
}

const withNotAcceptable = ({ responses, ...others }: ApiOperation): ApiOperation => ({
  ...others,
  responses: { ...responses, 406: problemResponse('You accept none of its media types.', ['json']) },
});

/** What the routes are, for `/openapi.json`. */
export function beanApi(settings: DescribedSettings): ApiDescription {
  const get = (described: Described) => ({ get: operation(settings, described) });
  const list = 'The beans there are';
  return {
    '/jig/bean': {
      get: withNotAcceptable(
        operation(settings, { operationId: 'beans', summary: `${list}.`, forms: ['json', 'xml', 'html'] }),
      ),
    },
    '/jig/bean.json': get({ operationId: 'beansAsJson', summary: `${list}, as JSON.`, forms: ['json'] }),
    '/jig/bean.xml': get({ operationId: 'beansAsXml', summary: `${list}, as XML.`, forms: ['xml'] }),
    '/jig/bean/{name}.json': get({
      operationId: 'beanAsJson',
      summary: 'One bean, as JSON.',
      forms: ['json'],
      isBean: true,
    }),
    '/jig/bean/{name}.xml': get({
      operationId: 'beanAsXml',
      summary: 'One bean, as XML.',
      forms: ['xml'],
      isBean: true,
    }),
  };
}
