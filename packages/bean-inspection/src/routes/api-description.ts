import { type ApiDescription, type ApiOperation, problemResponse } from '@jig/application';

const parameters = [
  ['at', 'A JSON Pointer (RFC 6901) to the part to show.', { type: 'string' }],
  ['depth', 'How many containers deep to look.', { type: 'integer', minimum: 1 }],
  ['limit', 'How many entries of each container to show.', { type: 'integer', minimum: 1 }],
  ['pretty', 'Whether to indent.', { type: 'boolean' }],
  ['namespaces', 'Whether XML declares a namespace for every prefix.', { type: 'boolean' }],
].map(([name, description, schema]) => ({ name, in: 'query', description, schema, allowEmptyValue: true }));

const refusals = {
  400: problemResponse('A parameter is not as it must be.'),
  401: problemResponse('The token is missing or wrong.'),
  403: problemResponse('Beans are not shown to this client, or this bean is closed.'),
};

function operation(operationId: string, summary: string, mediaTypes: readonly string[], isBean: boolean): ApiOperation {
  const content = Object.fromEntries(mediaTypes.map((type) => [type, { schema: {} }]));
  const name = {
    name: 'name',
    in: 'path',
    required: true,
    description: 'The name of the bean.',
    schema: { type: 'string' },
  };
  return {
    operationId,
    summary,
    parameters: isBean ? [name, ...parameters] : parameters,
    responses: {
      200: { description: 'In chunks; the header or trailer Jig-Truncated says when something was left out.', content },
      ...refusals,
      404: problemResponse('Resource not found'),
      ...(isBean ? { 503: problemResponse('The bean cannot be made.') } : {}),
    },
  };
}

/** What the routes are, for `/openapi.json`. */
export const beanApi: ApiDescription = {
  '/jig/bean': {
    get: operation('beans', 'The beans there are.', ['application/json', 'application/xml', 'text/html'], false),
  },
  '/jig/bean.json': { get: operation('beansAsJson', 'The beans there are, as JSON.', ['application/json'], false) },
  '/jig/bean.xml': { get: operation('beansAsXml', 'The beans there are, as XML.', ['application/xml'], false) },
  '/jig/bean/{name}.json': { get: operation('beanAsJson', 'One bean, as JSON.', ['application/json'], true) },
  '/jig/bean/{name}.xml': { get: operation('beanAsXml', 'One bean, as XML.', ['application/xml'], true) },
};
