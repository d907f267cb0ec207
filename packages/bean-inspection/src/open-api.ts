import { type Bounds, describeParameters } from './http/parameters.ts';
import { type Route, routes } from './routes.ts';

export interface ApiOptions extends Bounds {
  readonly token?: string | undefined;
  readonly mcp: boolean;
}

const statuses = {
  401: 'The token is missing or wrong.',
  403: 'Beans are not shown to this client, or this bean is closed.',
  400: 'A parameter has a value that is not allowed, or asks for too much. Parameters of other names are ignored.',
  404: 'Resource not found: there is no such bean, part, reading, snapshot or instance.',
  406: 'You accept none of its media types.',
};

/** Further statuses of routes of one bean. */
const beanStatuses = {
  409: 'The bean does not exist, and this does not create it.',
  503: 'The bean cannot be made or read right now.',
};

/** Further statuses of routes with a body. */
const bodyStatuses = { 413: 'The body, or what is to be kept, is too large.', 415: 'The body is of another type.' };

const name = { name: 'name', in: 'path', required: true, schema: { type: 'string', minLength: 1 } };

/** The routes as OpenAPI operations, by path below the prefix and by method. */
export function openApi({ token, mcp, ...bounds }: ApiOptions): Readonly<Record<string, Record<string, object>>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const [id, route] of Object.entries(routes) as [string, Route][]) {
    if (route.isInternal === true || (id === 'mcp' && !mcp)) continue;
    const path = `/${route.path.replace('{name}', ':name')}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(id, route, token, bounds) };
  }
  return paths;
}

function operation(operationId: string, route: Route, token: string | undefined, bounds: Bounds): object {
  const { path, summary, parameters, body, types, statuses: successes = [200] } = route;
  const content = (mediaTypes: readonly string[]) => ({
    content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: {} }])),
  });
  const bodyTypes =
    body === 'message' ? ['application/json'] : ['application/x-www-form-urlencoded', 'application/json'];
  // Errors in a message come as JSON-RPC.
  const problemTypes = [
    'application/problem+json',
    'application/problem+xml',
    'text/html',
    ...(body === 'message' ? types : []),
  ];
  const ofBean = path.startsWith('bean/') ? beanStatuses : {};
  const problems = Object.entries({ ...statuses, ...ofBean, ...(body && bodyStatuses) }).map(
    ([status, description]) => [status, { description, ...content(problemTypes) }],
  );
  return {
    operationId,
    summary,
    parameters: [...(path.includes('{name}') ? [name] : []), ...describeParameters(parameters, bounds)],
    ...(body === undefined ? {} : { requestBody: { required: body === 'message', ...content(bodyTypes) } }),
    // Basic is for browsers, which ask for a password; any user name works.
    ...(token === undefined ? {} : { security: [{ bearer: [] }, { basic: [] }] }),
    responses: Object.fromEntries([
      ...problems,
      // A redirect has no body.
      ...successes.map((status) => [status, { description: summary, ...(status < 300 ? content(types) : {}) }]),
    ]),
  };
}
