import { problemResponse } from '@jig/application';
import type { InspectionSettings } from '../settings.ts';
import type { ApiDescription } from './api-description.ts';

/** What `/openapi.json` says of the endpoint for coding agents; its own protocol says the rest. */
export function mcpApi({ token }: Pick<InspectionSettings, 'token'>): ApiDescription {
  const message = { 'application/json': { schema: { type: 'object' } } };
  const forms = ['json', 'xml', 'html'] as const;
  return {
    '/mcp': {
      post: {
        operationId: 'mcp',
        summary: 'The beans for coding agents: one message of the Model Context Protocol.',
        ...(token === undefined ? {} : { security: [{ bearer: [] }, { basic: [] }] }),
        requestBody: { required: true, content: message },
        responses: {
          200: { description: 'The result of a request, or an error that its method tells.', content: message },
          202: { description: 'A notification, which is not answered.' },
          400: { description: 'The message is malformed, or for another version.', content: message },
          401: problemResponse('The token is missing or wrong.', forms),
          403: problemResponse('Beans are not shown to this client.', forms),
          404: { description: 'There is no such method.', content: message },
          413: problemResponse('The body is too large.', forms),
          415: problemResponse('The body is not application/json.', forms),
        },
      },
    },
  };
}
