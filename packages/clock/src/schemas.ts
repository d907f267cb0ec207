import { problemResponse } from '@jig/application';
import type { FastifySchema } from 'fastify';

const text = { type: 'string' };

const integer = { type: 'integer' };

/** Any value is accepted; the page says which are unknown. */
const canBeEmpty = { allowEmptyValue: true, schema: text };

const choiceParameters = [
  { name: 'languageTag', in: 'query' as const, description: 'Shows this locale without storing it.', ...canBeEmpty },
  { name: 'zoneID', in: 'query' as const, description: 'Shows this time zone without storing it.', ...canBeEmpty },
];
const acceptLanguage = {
  name: 'Accept-Language',
  in: 'header' as const,
  description: 'The best match is used.',
  schema: text,
};

/** `GET /clock/time.json` */
export const textsSchema: FastifySchema = {
  operationId: 'clockTexts',
  summary:
    'The texts that change on an open page: the time, the date, and the offset of the zone and until when it is valid.',
  parameters: [
    ...choiceParameters,
    { name: 'browserZone', in: 'query', description: "The zone of the visitor's browser.", ...canBeEmpty },
    acceptLanguage,
  ],
  responses: {
    200: {
      description: 'The texts; times and offsets in milliseconds.',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              languageTag: text,
              zoneID: text,
              isZoneChosen: { type: 'boolean' },
              now: integer,
              offset: integer,
              until: integer,
              time: text,
              date: text,
              zoneName: text,
              difference: text,
            },
          },
        },
      },
    },
  },
};

/** `GET /clock/time` */
export const pageSchema: FastifySchema = {
  operationId: 'clockPage',
  summary: 'The time and the date, in the locale and the zone of the session, otherwise of the request.',
  parameters: [
    ...choiceParameters,
    acceptLanguage,
    { name: 'Accept-Encoding', in: 'header', description: 'gzip or identity.', schema: text },
  ],
  responses: {
    200: { description: 'A page.', content: { 'text/html': { schema: text } } },
    406: problemResponse('The page is not available in an encoding that you accept.'),
  },
};

/** `POST /clock/time` */
export const formSchema: FastifySchema = {
  operationId: 'clockSelection',
  summary: 'Stores every field of the form in the session. Of a repeated field, the first value counts.',
  requestBody: {
    description:
      'At most 16 KiB, without a Content-Encoding. A session holds at most 100 fields and 64 KiB of names and values, including those of earlier forms.',
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          properties: {
            languageTag: { ...text, description: 'A language tag (BCP 47); any other value is stored too.' },
            zoneID: { ...text, description: 'A time zone ID; any other value is stored too.' },
          },
          additionalProperties: text,
          maxProperties: 100,
        },
      },
    },
  },
  responses: {
    302: {
      description: 'Stored; redirects to the page.',
      headers: {
        Location: { required: true, schema: { ...text, enum: ['/clock/time'] } },
        'Set-Cookie': { description: 'The session, when it is new.', schema: text },
      },
    },
    400: problemResponse('The body is malformed.'),
    403: problemResponse('The form comes from another site.'),
    413: problemResponse('The form or the session would be too large; nothing of the form is stored.'),
    415: problemResponse('The body is not a form.'),
    503: problemResponse('Sessions cannot be stored at the moment.'),
  },
};
