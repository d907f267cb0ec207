import type { Resource } from '../beans/resource.ts';
import { wantsStream } from '../http/event-stream.ts';
import type { resourceNames } from '../http/resource-names.ts';
import { sorted } from '../instances/instance.ts';
import { beanResource, outlineResource } from './bean-resource.ts';
import { pages } from './load-pages.ts';
import { mcpAnswer } from './mcp-answer.ts';

/** How each resource is answered. */
export const resources: Readonly<Record<keyof typeof resourceNames, Resource>> = {
  bean: beanResource,
  outline: outlineResource,
  /** What needs what, as a page; `/graph.svg`, `.dot` and `.mmd` to take away. */
  graph: { methods: ['GET'], answer: async (call) => (await pages()).graphAnswer(call) },
  /** POST keeps a snapshot; GET shows what differs, as a page or as JSON. */
  compare: {
    methods: ['GET', 'POST'],
    isNegotiated: true,
    async answer(call) {
      const { answerBySnapshot, compareAnswer } = await pages();
      return answerBySnapshot(call, () => compareAnswer(call));
    },
  },
  /** What differs, as JSON Patch. */
  patch: {
    methods: ['GET'],
    async answer(call) {
      const { answerBySnapshot, patchAnswer } = await pages();
      return answerBySnapshot(call, () => patchAnswer(call));
    },
  },
  /** GET shows values over time, as a page, JSON or CSV; POST records one, DELETE ends that. */
  watch: {
    methods: ['DELETE', 'GET', 'POST'],
    methodsAt: ({ extension }) => (extension === undefined ? ['DELETE', 'GET', 'POST'] : ['GET']),
    isNegotiated: true,
    async answer(call) {
      const { changeWatch, watchAnswer, watchStream } = await pages();
      const { method } = call.request.raw;
      if (method === 'POST' || method === 'DELETE') return changeWatch(call);
      return wantsStream(call.request.raw) ? watchStream(call) : watchAnswer(call);
    },
  },
  /** Readings with the name of a metric, for Prometheus. */
  metrics: { methods: ['GET'], isNegotiated: true, answer: async (call) => (await pages()).metricsAnswer(call) },
  /** The instances of the application that this one can ask, and itself. */
  instances: {
    methods: ['GET'],
    answer: ({ instances, others }) => {
      const told = others.map(({ id, label, pid, startedAt, fault }) => ({ id, label, pid, startedAt, fault }));
      return { bytes: JSON.stringify(sorted([instances.self, ...told])), mediaType: 'application/json' };
    },
  },
  mcp: { methods: ['POST'], answer: mcpAnswer },
  /** The style sheet and the script of the pages. */
  browser: { methods: ['GET'], answer: async (call) => (await pages()).assetAnswer(call) },
};
