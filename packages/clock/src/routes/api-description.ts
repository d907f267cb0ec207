import { type ApiDescription, problemResponse } from '@jig/application';

const text = { type: 'string' };

/** What `/clock/time` takes and answers, in the words of OpenAPI. */
export const clockApi: ApiDescription = {
  '/clock/time': {
    get: {
      operationId: 'clockPage',
      summary: 'The time and the date, in the locale and the zone of the session, else of the request.',
      parameters: [
        { name: 'Accept-Language', in: 'header', description: 'Best match counts.', schema: text },
        { name: 'Accept-Encoding', in: 'header', description: 'br, gzip or identity.', schema: text },
      ],
      responses: {
        200: { description: 'A page.', content: { 'text/html': { schema: text } } },
        406: problemResponse('It is not to be had in a coding that you accept.'),
      },
    },
    post: {
      operationId: 'clockSelection',
      summary: 'Stores every field of the form in the session; the first value of a repeated one counts.',
      requestBody: {
        description:
          'At most 16 KiB as it is sent, by default, without a Content-Encoding. A session holds at most 100 fields and 64 KiB of names and values, those of earlier forms among them.',
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              properties: {
                languageTag: { ...text, description: 'An IETF language tag; any other text is stored too.' },
                zoneID: { ...text, description: 'A time-zone ID; any other text is stored too.' },
              },
              additionalProperties: text,
              maxProperties: 100,
            },
          },
        },
      },
      responses: {
        302: {
          description: 'Stored; back to the page.',
          headers: {
            Location: { required: true, schema: { ...text, enum: ['/clock/time'] } },
            'Set-Cookie': { description: 'The session, when it is new.', schema: text },
          },
        },
        400: problemResponse('The body is malformed.'),
        403: problemResponse('The form comes from another site.'),
        413: problemResponse('The form, or the session with it, would be too big; nothing of it is stored.'),
        415: problemResponse('The body is no form.'),
        503: problemResponse('Sessions cannot be stored right now.'),
      },
    },
  },
};
