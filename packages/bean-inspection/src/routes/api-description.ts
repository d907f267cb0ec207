import { type ApiDescription, type ApiOperation, type ProblemForm, problemResponse } from '@jig/application';

const mediaTypes = { json: 'application/json', xml: 'application/xml', html: 'text/html' } as const;

const count = { schema: { type: 'integer', minimum: 1 } };
const flag = { schema: { type: 'boolean' }, allowEmptyValue: true };

const parameters = [
  {
    name: 'at',
    description: 'A JSON Pointer (RFC 6901) to the part to show.',
    schema: { type: 'string' },
    allowEmptyValue: true,
  },
  { name: 'depth', description: 'How many containers deep to look.', ...count },
  { name: 'limit', description: 'How many entries of each container to show.', ...count },
  { name: 'pretty', description: 'Whether to indent.', ...flag },
  { name: 'namespaces', description: 'Whether XML declares a namespace for every prefix.', ...flag },
].map((parameter) => ({ ...parameter, in: 'query' }));

/** @param forms which the answer can have, and its problems with it */
function operation(operationId: string, summary: string, forms: readonly ProblemForm[], isBean: boolean): ApiOperation {
  const content = Object.fromEntries(forms.map((form) => [mediaTypes[form], { schema: {} }]));
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
      400: problemResponse(
        'A parameter has a value that is not allowed. Parameters of other names are ignored.',
        forms,
      ),
      401: problemResponse('The token is missing or wrong.', forms),
      403: problemResponse('Beans are not shown to this client, or this bean is closed.', forms),
      404: problemResponse('Resource not found', forms),
      ...(isBean ? { 503: problemResponse('The bean cannot be made.', forms) } : {}),
    },
  };
}

const withNotAcceptable = ({ responses, ...others }: ApiOperation): ApiOperation => ({
  ...others,
  responses: { ...responses, 406: problemResponse('You accept none of its media types.', ['json']) },
});

/** What the routes are, for `/openapi.json`. */
export const beanApi: ApiDescription = {
  '/jig/bean': {
    get: withNotAcceptable(operation('beans', 'The beans there are.', ['json', 'xml', 'html'], false)),
  },
  '/jig/bean.json': { get: operation('beansAsJson', 'The beans there are, as JSON.', ['json'], false) },
  '/jig/bean.xml': { get: operation('beansAsXml', 'The beans there are, as XML.', ['xml'], false) },
  '/jig/bean/{name}.json': { get: operation('beanAsJson', 'One bean, as JSON.', ['json'], true) },
  '/jig/bean/{name}.xml': { get: operation('beanAsXml', 'One bean, as XML.', ['xml'], true) },
};
