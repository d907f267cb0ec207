import { RpcError } from '../../../packages/bean-inspection/src/mcp/json-rpc.ts';
import { type McpFeatures, type Tool, ToolError } from '../../../packages/bean-inspection/src/mcp/mcp-server.ts';

/** A picture of one pixel, and a sound of no length. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

const text = (words: string) => ({ type: 'text', text: words });
const image = { type: 'image', data: png, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, words: string) => ({
  type: 'resource',
  resource: { uri, mimeType, text: words },
});

/** A tool without arguments, as the suite of the protocol wants it. */
const tool = (name: string, call: Tool<unknown>['call']): Tool<unknown> => ({
  name,
  description: `A fixture of the conformance suite: ${name}.`,
  inputSchema: { type: 'object', additionalProperties: false },
  call,
});

/** What the scenario `json-schema-2020-12` wants to find unchanged in the list of tools. */
const anySchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // A text, since an object with a key `then` looks like a promise.
  ...JSON.parse('{"then":{"required":["phone"]},"else":{"required":["email"]}}'),
  additionalProperties: false,
} as unknown as Tool<unknown>['inputSchema'];

const resources = [
  { uri: 'test://static-text', name: 'text', description: 'A text.', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'picture', description: 'A picture.', mimeType: 'image/png' },
];

function readResource(uri: string): readonly object[] | undefined {
  if (uri === 'test://static-text')
    return [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }];
  if (uri === 'test://static-binary') return [{ uri, mimeType: 'image/png', blob: png }];
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  if (id === undefined) return undefined;
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }];
}

/** The tools and resources by which the conformance suite of the protocol knows a server, for those features that ours has. */
export const fixtureFeatures: McpFeatures<unknown> = {
  info: { name: 'jig-conformance-fixtures', version: '1.0.0' },
  instructions: 'Fixtures of the conformance suite.',
  tools: [
    tool('test_simple_text', () => ({ content: [text('This is a simple text response for testing.')] })),
    tool('test_image_content', () => ({ content: [image] })),
    tool('test_audio_content', () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] })),
    tool('test_embedded_resource', () => ({
      content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    })),
    tool('test_multiple_content_types', () => ({
      content: [
        text('Multiple content types test:'),
        image,
        embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    })),
    tool('test_error_handling', () => {
      throw new ToolError('This tool intentionally returns an error for testing');
    }),
    tool('test_missing_capability', () => {
      const data = { requiredCapabilities: { sampling: {} } };
      throw new RpcError(-32_021, 'This tool needs the capability sampling.', { status: 400, data });
    }),
    // Of these two the suite wants only what is not in their answers: a request to the client, and a log message.
    tool('test_streaming_elicitation', () => ({ content: [text('asked for nothing')] })),
    tool('test_logging_tool', () => ({ content: [text('logged nothing')] })),
    { ...tool('json_schema_2020_12_tool', () => ({ content: [] })), inputSchema: anySchema },
  ],
  resources: {
    list: (cursor) => (cursor === undefined ? { resources } : undefined),
    templates: [
      {
        name: 'template',
        uriTemplate: 'test://template/{id}/data',
        description: 'Data by its number.',
        mimeType: 'application/json',
      },
    ],
    read: readResource,
  },
};
