import type { BeanController } from '../beans/bean-controller.ts';
import { encodeName } from '../beans/bean-index.ts';
import type { InspectionRequest } from '../http/inspection-request.ts';
import type { BeanCall, BeanReader } from './bean-reader.ts';
import { type ResourcePage, type Resources, ToolError } from './mcp-server.ts';

const scheme = 'jig://bean/';

/** How many beans are on one page of the list. */
const pageSize = 200;

/** What clients that let a person choose show of the beans. */
export function beanResources<Context>(
  controller: BeanController<Context>,
  reader: BeanReader<Context>,
): Resources<InspectionRequest<Context>> {
  return {
    list: (cursor, { context }) => listPage(controller, context, cursor),
    templates: [
      {
        name: 'bean',
        title: 'A bean',
        uriTemplate: `${scheme}{name}`,
        description: 'The present state of a bean, by its name.',
        mimeType: 'application/json',
      },
    ],
    async read(uri, call) {
      const name = beanName(uri);
      return name === undefined ? undefined : readBean(reader, { uri, name }, call);
    },
  };
}

/** A cursor is the number of beans that come before the page. */
function listPage<Context>(
  controller: BeanController<Context>,
  request: InspectionRequest<Context>,
  cursor: string | undefined,
): ResourcePage | undefined {
  const start = cursor === undefined ? 0 : /^[1-9]\d{0,8}$/.test(cursor) ? Number(cursor) : undefined;
  if (start === undefined) return undefined;
  // Others could be listed, but not read.
  const beans = controller.describe(request).filter(({ instantiated }) => instantiated === true);
  const resources = beans.slice(start, start + pageSize).map(({ name, type, scope, owner }) => ({
    uri: `${scheme}${encodeName(name)}`,
    name,
    description: `${type}, scope ${scope}, of ${owner}`,
    mimeType: 'application/json',
  }));
  const next = start + pageSize;
  return { resources, ...(next < beans.length ? { nextCursor: String(next) } : {}) };
}

function beanName(uri: string): string | undefined {
  if (!uri.startsWith(scheme)) return undefined;
  try {
    return decodeURIComponent(uri.slice(scheme.length));
  } catch {
    return undefined;
  }
}

async function readBean<Context>(
  reader: BeanReader<Context>,
  { uri, name }: { readonly uri: string; readonly name: string },
  call: BeanCall<Context>,
): Promise<readonly object[] | undefined> {
  try {
    const { text, rest } = await reader.read(name, { at: '', from: 0, depth: 8, limit: 100, format: 'json' }, call);
    const document = { uri, mimeType: 'application/json', text };
    return rest === undefined ? [document] : [document, { uri, mimeType: 'text/plain', text: rest }];
  } catch (error) {
    // Whoever chose from a list has no use for what helps a model.
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
