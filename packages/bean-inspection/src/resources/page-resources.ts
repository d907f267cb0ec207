import type { Resource } from '../beans/resource.ts';
import { wantsStream } from '../http/event-stream.ts';
import { resourceNames } from '../http/resource-names.ts';

/** Loaded when they are first needed, since most applications are asked for no page; and once, since importing again is slow. */
let loaded: typeof import('./pages.ts') | undefined;

/** What people look at in a browser, what is scraped, and what is asked of other instances. */
export async function pages(): Promise<typeof import('./pages.ts')> {
  loaded ??= await import('./pages.ts');
  return loaded;
}

/** `/graph`, what needs what, as a page; `/graph.svg`, `.dot` and `.mmd` to take away. */
export const graphResource: Resource = {
  ...resourceNames.graph,
  methods: ['GET'],
  isNegotiated: false,
  answer: async (call) => (await pages()).graphAnswer(call),
};

/** `/compare`: POST keeps a snapshot; GET shows what differs, as a page or as JSON. */
export const compareResource: Resource = {
  ...resourceNames.compare,
  methods: ['GET', 'POST'],
  isNegotiated: true,
  async answer(call) {
    const { answerBySnapshot, compareAnswer } = await pages();
    return answerBySnapshot(call, () => compareAnswer(call));
  },
};

/** `/compare.json-patch`: what differs, as JSON Patch. */
export const patchResource: Resource = {
  ...resourceNames.patch,
  methods: ['GET'],
  isNegotiated: false,
  async answer(call) {
    const { answerBySnapshot, patchAnswer } = await pages();
    return answerBySnapshot(call, () => patchAnswer(call));
  },
};

/** `/metrics`: readings with the name of a metric, for Prometheus. */
export const metricsResource: Resource = {
  ...resourceNames.metrics,
  methods: ['GET'],
  isNegotiated: true,
  answer: async (call) => (await pages()).metricsAnswer(call),
};

/** `/watch`: GET shows values over time, as a page, JSON or CSV; POST records one, DELETE ends that. */
export const watchResource: Resource = {
  ...resourceNames.watch,
  methods: ['DELETE', 'GET', 'POST'],
  methodsAt: ({ extension }) => (extension === undefined ? ['DELETE', 'GET', 'POST'] : ['GET']),
  isNegotiated: true,
  async answer(call) {
    const { changeWatch, watchAnswer, watchStream } = await pages();
    const { method } = call.request.raw;
    if (method === 'POST' || method === 'DELETE') return changeWatch(call);
    return wantsStream(call.request.raw) ? watchStream(call) : watchAnswer(call);
  },
};

/** `/browser/{file}`: the style sheet and the script of the pages. */
export const browserResource: Resource = {
  ...resourceNames.browser,
  methods: ['GET'],
  isNegotiated: false,
  answer: async (call) => (await pages()).assetAnswer(call),
};
